/*
 * The deadlock verdict over processes, see lib/machine/processes/.
 *
 * A process is quiet when all its nodes are parked, no mailbox has a message for another process,
 * and all messages that came are in their mailboxes.  It then reports {sent, received, generation}
 * to process 0.  The generation steps when it stops being quiet.  When all processes have reported
 * and the sums of sent and received are equal, process 0 asks all once more.  If all are quiet, in
 * the generations of the question, it pronounces the verdict.
 *
 * false     a verdict while a node runs or a message is under way: an assertion fails
 * missed    no node runs, no message is under way, and there is no verdict: an invalid end state
 *
 * One node stands for the nodes of a process.  It sends to any process, parks, and runs again when
 * a message comes.
 */
#define P 3
#define MESSAGES 3

mtype = { MESSAGE, REPORT, QUESTION, ANSWER, VERDICT };

/* {kind, quiet, sent, received, generation}; a queue for each pair keeps the order. */
chan link[9] = [6] of { mtype, bool, byte, byte, byte };
#define LINK(from, to) link[(from) * P + (to)]

bool running[P];  /* the node is not parked */
byte mailbox[9];  /* messages put there by the node, by from * P + to */
byte arrived[P];  /* messages taken from the queues, not in their mailboxes yet */
byte in_queues;   /* messages of nodes */
byte budget = MESSAGES;

#define HAS_NEWS(i) (mailbox[(i) * P] + mailbox[(i) * P + 1] + mailbox[(i) * P + 2] > 0)
#define IS_DEADLOCK (!running[0] && !running[1] && !running[2] && !HAS_NEWS(0) && !HAS_NEWS(1) && \
	!HAS_NEWS(2) && arrived[0] + arrived[1] + arrived[2] + in_queues == 0)

proctype Node(byte me; byte peer; byte other)
{
end:
	do
	:: atomic { running[me] && budget > 0 -> budget--; mailbox[me * P + peer]++ }
	:: atomic { running[me] && budget > 0 -> budget--; mailbox[me * P + other]++ }
	:: running[me] -> running[me] = false
	od
}

/* ---- Process 0: what it knows, and whether it is asking */

bool known[P], asking, agreed;
byte sent_of[P], received_of[P], generation_of[P], asked[P], answers;

#define SUMS_ARE_EQUAL \
	(sent_of[0] + sent_of[1] + sent_of[2] == received_of[0] + received_of[1] + received_of[2])
#define ALL_HAVE_REPORTED (known[0] && known[1] && known[2])

inline pronounce()
{
	assert(IS_DEADLOCK);
	LINK(0, 0)!VERDICT(0, 0, 0, 0);
	LINK(0, 1)!VERDICT(0, 0, 0, 0);
	LINK(0, 2)!VERDICT(0, 0, 0, 0)
}

inline ask()
{
	if
	:: ALL_HAVE_REPORTED && SUMS_ARE_EQUAL && !asking ->
		asking = true; agreed = true; answers = 0;
		asked[0] = generation_of[0]; asked[1] = generation_of[1]; asked[2] = generation_of[2];
		LINK(0, 0)!QUESTION(0, 0, 0, 0);
		LINK(0, 1)!QUESTION(0, 0, 0, 0);
		LINK(0, 2)!QUESTION(0, 0, 0, 0)
	:: else
	fi
}

inline learn(from)
{
	known[from] = true; sent_of[from] = s; received_of[from] = r; generation_of[from] = g;
	ask()
}

inline hear(from)
{
	answers++;
	if
	:: !q -> known[from] = false; agreed = false
	:: q && g != asked[from] -> agreed = false
	:: else
	fi;
	if
	:: answers == P && agreed -> pronounce()
	:: answers == P && !agreed -> asking = false; ask()
	:: else
	fi
}

/* ---- Every process */

inline send_to(to)
{
	mailbox[me * P + to]--; sent++; in_queues++;
	LINK(me, to)!MESSAGE(0, 0, 0, 0)
}

inline stop_being_quiet()
{
	generation = generation + quiet;
	quiet = false
}

inline handle(from)
{
	if
	:: kind == MESSAGE -> in_queues--; received++; arrived[me]++; stop_being_quiet()
	:: kind == REPORT -> learn(from)
	:: kind == QUESTION -> LINK(me, from)!ANSWER(quiet, sent, received, generation)
	:: kind == ANSWER -> hear(from)
	:: kind == VERDICT -> over = true
	fi;
	kind = 0; q = 0; s = 0; r = 0; g = 0
}

proctype Communication(byte me)
{
	byte sent, received, generation, s, r, g;
	bool quiet, q, over;
	mtype kind;

	do
	:: over -> break
	:: atomic { !over && mailbox[me * P] > 0 -> send_to(0) }
	:: atomic { !over && mailbox[me * P + 1] > 0 -> send_to(1) }
	:: atomic { !over && mailbox[me * P + 2] > 0 -> send_to(2) }
	:: atomic { !over && arrived[me] > 0 -> arrived[me]--; running[me] = true }
	:: atomic { !over && nempty(LINK(0, me)) -> LINK(0, me)?kind, q, s, r, g; handle(0) }
	:: atomic { !over && nempty(LINK(1, me)) -> LINK(1, me)?kind, q, s, r, g; handle(1) }
	:: atomic { !over && nempty(LINK(2, me)) -> LINK(2, me)?kind, q, s, r, g; handle(2) }
	/* The census first: parked nodes put nothing into mailboxes. */
	:: !over && !quiet && !running[me] && arrived[me] == 0 ->
		if
		:: atomic { !HAS_NEWS(me) ->
			quiet = true;
			LINK(me, 0)!REPORT(true, sent, received, generation) }
		:: else
		fi
	od
}

init
{
	atomic {
		running[0] = true; running[1] = true; running[2] = true;
		run Node(0, 1, 2); run Node(1, 0, 2); run Node(2, 0, 1);
		run Communication(0); run Communication(1); run Communication(2)
	}
}
