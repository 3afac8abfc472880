#include "support/seed_texts.h"

static const char *const plan_names[] = { "to ", "from ", NULL };
static const char *const plan_words[] = { "send", "receive", "to", "from", "port", "fold", "round",
	"local", "INPUT", "OUTPUT", "ARRIVAL", "ARRIVAL1", "ARRIVAL3", "S", "T", "U", "V", "S[0]",
	"INPUT[0]", "OUTPUT[0]", "ARRIVAL[0]", "OUTPUT[0..3]", "INPUT[1,0]", ":=", "(+)", "operation",
	"nodes", "algorithm", "mode", "hop", "routed", "claim", "idempotent", "commutative", "ordered",
	"move", "identical", "nodup", "root", "shift", "ports", "blocks", "in-place", "scratch",
	"scratch S 4", "scratch T 2 each 2", "blocks 2", "ports 2", "each", "broadcast", "reduce",
	"allreduce", "allgather", "reduce-scatter", "scatter", "gather", "alltoall", "scan", "exscan",
	"shift", "barrier", "# comment", "", "0", "1", "2", "port 1", "INPUT[2..]", NULL };
static const char *const trace_names[] = { ",", NULL };
static const char *const trace_words[] = { "R", "round,src,dst,words", "round", "src", "dst",
	"words", "round,src,dst", "round,src,dst,words,sent_ns,received_ns,waited_ns",
	"# operation=allreduce topology=ring:4 m=1 root=0 q=1", "# mode=routed", "# ports=2", "-1", "1",
	"2", "4", "1.5", "", "1,0,1,1", "2,1,0", "1,0,1,1,R", "1,0,1,1,5,7,1", "\"1\"", NULL };
static const char *const graph_names[] = { " ", NULL };
static const char *const graph_words[] = { "0", "1", "9", "#", "# comment", "\t", "\r", "", "0 0",
	"63", "4194303", NULL };

const struct grammar seed_grammars[] = {
	[SEED_PLAN] = { " \t\n;:[],.", ";:\n", "round", plan_names, plan_words },
	[SEED_TRACE] = { ",\n", "\n", NULL, trace_names, trace_words },
	[SEED_GRAPH] = { " \n", "\n", NULL, graph_names, graph_words },
};
