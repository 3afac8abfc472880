/*
 * The end of a lockstep round over processes, see lib/machine/processes/.
 *
 * A process acknowledges messages that its nodes have received: it sends their head.  When all
 * local members of a group have arrived at the end of a round, it sends the last acknowledgements
 * and, behind them, "my members have ended round r" to each other process.  When it has that of all
 * others, heads are final, and it opens the local barrier.  A sender then compares head and tail:
 * they differ if and only if a message of the round was not received.
 *
 * wrong     a message counts as received that was not, or the reverse: an assertion fails
 * hangs     a member waits forever: an invalid end state
 *
 * Node i is in process i.  Process 0 has one more member, which only arrives.  The model chooses
 * the messages of a run, and whether the first of them is received.
 */
#define P 3
#define ROUNDS 2
#define MEMBERS(i) ((i) == 0 -> 2 : 1)

mtype = { MESSAGE, ACKNOWLEDGEMENT, ENDED };

/* {kind, head or round}; a queue for each pair keeps the order. */
chan link[9] = [8] of { mtype, byte };
#define LINK(from, to) link[(from) * P + (to)]

/* The messages of the run, by round, sender and receiver. */
bool is_sent[18], is_received[18];
#define AT(round, from, to) (((round) - 1) * 9 + (from) * P + (to))

/* By sender and receiver. */
byte tail[9];      /* messages sent by the node */
byte delivered[9]; /* to the mailbox of the receiver */
byte head[9];      /* received by the node */
byte told[9];      /* the head that was acknowledged last */
byte head_seen[9]; /* the head that the sender's process knows */

byte arrived[P];   /* local members, at the barrier */
byte epoch[P];     /* of the local barrier: rounds that have ended */
byte rounds_of[9]; /* the last round that another process has ended, by process and other process */
bool failed;       /* a message was not received: the machine stops */

#define AN_OLD_ONE_IS_LEFT(from) (round > 1 && is_sent[AT(1, from, me)] && !is_received[AT(1, from, me)])

inline receive_from(from)
{
	if
	:: !is_received[AT(round, from, me)]
	:: is_received[AT(round, from, me)] && AN_OLD_ONE_IS_LEFT(from) -> failed = true /* of another round */
	:: is_received[AT(round, from, me)] && !AN_OLD_ONE_IS_LEFT(from) ->
		(failed || delivered[from * P + me] > head[from * P + me]);
		head[from * P + me] = head[from * P + me] + !failed
	fi
}

inline send_to(to)
{
	if
	:: is_sent[AT(round, me, to)] -> tail[me * P + to]++; LINK(me, to)!MESSAGE(0)
	:: else
	fi
}

inline check_received(to)
{
	if
	:: is_sent[AT(round, me, to)] ->
		assert((head_seen[me * P + to] == tail[me * P + to]) == is_received[AT(round, me, to)]);
		failed = failed || !is_received[AT(round, me, to)]
	:: else
	fi
}

proctype Node(byte me; byte peer; byte other)
{
	byte round = 1;

	do
	:: round > ROUNDS || failed -> break
	:: else ->
		atomic { send_to(peer); send_to(other) };
		atomic { receive_from(peer); receive_from(other); arrived[me]++ };
		atomic { (epoch[me] >= round || failed) ->
			if
			:: failed
			:: else -> check_received(peer); check_received(other)
			fi;
			round++ }
	od
}

proctype Silent_member()
{
	byte round;

	do
	:: atomic { round < ROUNDS && epoch[0] >= round -> arrived[0]++; round++ }
	:: round == ROUNDS || failed -> break
	od
}

/* ---- The communication thread of a process */

inline acknowledge(from)
{
	if
	:: head[from * P + me] != told[from * P + me] ->
		told[from * P + me] = head[from * P + me];
		LINK(me, from)!ACKNOWLEDGEMENT(told[from * P + me])
	:: else
	fi
}

inline end_round(to)
{
	acknowledge(to);
	LINK(me, to)!ENDED(epoch[me] + 1)
}

inline handle(from)
{
	if
	:: kind == MESSAGE -> delivered[from * P + me]++
	:: kind == ACKNOWLEDGEMENT -> head_seen[me * P + from] = word
	:: kind == ENDED -> rounds_of[me * P + from] = word
	fi;
	kind = 0; word = 0
}

inline open_barrier()
{
	arrived[me] = 0;
	ended = false;
	epoch[me]++
}

proctype Communication(byte me; byte peer; byte other)
{
	bool ended; /* all others have been told that the round has ended here */
	byte word;
	mtype kind;

	do
	:: epoch[me] == ROUNDS || failed -> break
	:: atomic { head[peer * P + me] != told[peer * P + me] -> acknowledge(peer) }
	:: atomic { head[other * P + me] != told[other * P + me] -> acknowledge(other) }
	:: atomic { nempty(LINK(peer, me)) -> LINK(peer, me)?kind, word; handle(peer) }
	:: atomic { nempty(LINK(other, me)) -> LINK(other, me)?kind, word; handle(other) }
	:: !ended && arrived[me] == MEMBERS(me) ->
		atomic { end_round(peer); end_round(other); ended = true }
	:: atomic { ended && rounds_of[me * P + peer] > epoch[me] && rounds_of[me * P + other] > epoch[me] ->
		open_barrier() }
	od
}

init
{
	byte from, to, at;

	atomic {
		select (from : 0 .. 1); /* processes 1 and 2 are alike */
		select (to : 0 .. P - 1);
		select (at : 1 .. ROUNDS);
		if
		:: from != to -> is_sent[AT(at, from, to)] = true
		:: from != to -> is_sent[AT(at, from, to)] = true; is_received[AT(at, from, to)] = true
		:: from == to
		fi;
		/* Another one, around the processes, which is received. */
		select (from : 1 .. 2);
		to = (from + 1) % P;
		is_sent[AT(at, from, to)] = true; is_received[AT(at, from, to)] = true;
		from = 0; to = 0; at = 0;
		run Node(0, 1, 2); run Node(1, 0, 2); run Node(2, 0, 1); run Silent_member();
		run Communication(0, 1, 2); run Communication(1, 0, 2); run Communication(2, 0, 1)
	}
}
