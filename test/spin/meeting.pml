/*
 * Meetings of processes, by which they begin a run together: see lib/world/meeting.c.
 *
 * A process enters a meeting with a number.  It is firm, or may withdraw until it has voted; then it
 * enters the meeting again later, with another number.  Process 0 collects who wants to meet, lets
 * those vote that are not firm, and commits when all have voted.  It may withdraw, too.
 *
 * wrong     process 0 commits while another process is not in this meeting, or with an old number; or a
 *           process withdraws from a meeting that process 0 has committed: an assertion fails
 * hangs     a process waits forever, or may not withdraw although another one has: an invalid end state
 *
 * The model chooses which processes are firm, and when they withdraw.  A process that is not in a meeting
 * reads nothing.
 */
#define P 3
#define MEETINGS 2
#define WITHDRAWALS 2

mtype = { WANTS, FIRM, WITHDRAWS, READY, PREPARE, ABORT, COMMIT };

/* {kind, vote, number or meeting} */
chan to_0[P] = [6] of { mtype, byte, byte };
chan from_0[P] = [6] of { mtype, byte, byte };

byte passed[P]; /* meetings */
bool inside[P];
byte number[P]; /* of this attempt */
bool bound[P];  /* has voted, and may not withdraw */
byte withdrawals = WITHDRAWALS;

/* Before a process enters again: at once, or when the others may withdraw, too. */
inline stay_outside()
{
	if
	:: skip
	:: skip -> !bound[1] && !bound[2]
	fi
}

/* ---- Processes 1 and 2 */

inline enter()
{
	number[me]++; inside[me] = true; bound[me] = false; met = false;
	if
	:: firm = false; to_0[me]!WANTS(0, number[me])
	:: firm = true; to_0[me]!FIRM(0, number[me])
	fi
}

inline decide()
{
	if
	:: kind == COMMIT -> assert(word == passed[me]); met = true
	:: kind == PREPARE && !firm -> bound[me] = true; to_0[me]!READY(vote, 0)
	:: else -> bound[me] = false
	fi;
	kind = 0; vote = 0; word = 0
}

inline withdraw()
{
	assert(passed[0] <= passed[me]);
	withdrawals--; inside[me] = false;
	to_0[me]!WITHDRAWS(0, 0)
}

proctype Process(byte me)
{
	bool firm, met;
	byte vote, word;
	mtype kind;

	do
	:: passed[me] == MEETINGS -> break
	:: else ->
		atomic { enter() };
		do
		:: met -> break
		:: atomic { !met && nempty(from_0[me]) -> from_0[me]?kind, vote, word; decide() }
		:: atomic { !met && !firm && !bound[me] && withdrawals > 0 -> withdraw(); break }
		od;
		if
		:: atomic { met -> inside[me] = false; passed[me]++; bound[me] = false };
			empty(to_0[me]) /* the messages were read, and their memory is free */
		:: else -> stay_outside()
		fi
	od
}

/* ---- Process 0 */

bool wants[P], is_firm[P], is_ready[P], open;
byte known[P], votes;

inline abort_to(i)
{
	if
	:: open && !is_firm[i] -> from_0[i]!ABORT(votes, 0)
	:: else
	fi;
	is_ready[i] = false
}

inline abort_vote()
{
	if
	:: open -> abort_to(1); abort_to(2); open = false
	:: else
	fi
}

inline arrives(i)
{
	if
	:: kind == WANTS || kind == FIRM -> wants[i] = true; is_firm[i] = (kind == FIRM); known[i] = word
	:: kind == WITHDRAWS -> wants[i] = false; abort_vote()
	:: kind == READY && open && vote == votes -> is_ready[i] = true
	:: else
	fi;
	kind = 0; vote = 0; word = 0
}

inline prepare(i)
{
	if
	:: !is_firm[i] -> from_0[i]!PREPARE(votes, 0)
	:: else
	fi
}

inline commit(i)
{
	assert(inside[i] && passed[i] == passed[0] && known[i] == number[i]);
	from_0[i]!COMMIT(votes, passed[0]);
	wants[i] = false; is_ready[i] = false
}

inline commit_all()
{
	commit(1); commit(2);
	open = false; met = true; passed[0]++
}

#define ALL_READY ((is_ready[1] || is_firm[1]) && (is_ready[2] || is_firm[2]))

inline proceed()
{
	if
	:: wants[1] && wants[2] ->
		ready = ALL_READY;
		if
		:: !open -> votes++; open = true; prepare(1); prepare(2)
		:: else
		fi;
		if
		:: ready -> commit_all()
		:: else
		fi
	:: else
	fi
}

proctype Coordinator()
{
	bool met, ready;
	byte vote, word;
	mtype kind;

	do
	:: passed[0] == MEETINGS -> break
	:: else ->
		atomic { met = false; proceed() };
		do
		:: met -> break
		:: atomic { !met && nempty(to_0[1]) -> to_0[1]?kind, vote, word; arrives(1); proceed() }
		:: atomic { !met && nempty(to_0[2]) -> to_0[2]?kind, vote, word; arrives(2); proceed() }
		:: atomic { !met && withdrawals > 0 -> withdrawals--; abort_vote(); break }
		od;
		if
		:: met -> empty(from_0[1]) && empty(from_0[2])
		:: else -> stay_outside()
		fi
	od
}

init
{
	atomic { run Coordinator(); run Process(1); run Process(2) }
}
