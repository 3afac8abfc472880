#!/bin/sh
# Several hosts, as network namespaces with names of their own: Open MPI starts its processes there by an agent
# in place of ssh, and they communicate by TCP over a pair of virtual interfaces.
# variants: release coverage
. "$(dirname "$0")/support/cli"
. "$tree/test/support/mpi"

skip() {
	echo "no imitated hosts: $1"
	exit 77
}
case $families in *openmpi*) ;; *) skip 'Open MPI is not here' ;; esac
[ "$(id -u)" -eq 0 ] || skip 'only root makes network namespaces'
for tool in ip unshare hostname; do
	command -v $tool >/dev/null || skip "there is no $tool"
done
name=lockstep$$
trap 'ip netns del ${name}x1; ip netns del ${name}x2; rm -rf "$scratch"' EXIT
{ ip netns add ${name}x1 && ip netns add ${name}x2 &&
	ip link add near netns ${name}x1 type veth peer name far netns ${name}x2; } 2>err || skip "$(cat err)"
for host in 'x1 near 1' 'x2 far 2'; do
	set -- $host
	{ ip -n $name$1 addr add 10.99.7.$3/24 dev $2 && ip -n $name$1 link set $2 up &&
		ip -n $name$1 link set lo up; } || skip 'the interfaces cannot be used'
done

# agent HOST COMMAND..: as ssh
cat >agent <<END
#!/bin/sh
host=\${1##*.}
shift
exec ip netns exec ${name}x\$host unshare -u sh -c "hostname host\$host; \$*"
END
chmod +x agent

# on_hosts PROCESSES ARGUMENTS..: so many processes on each of the two hosts
on_hosts() {
	each=$1
	shift
	timeout -k 5 120 "$scratch/agent" x.1 exec mpirun.openmpi --mca plm_rsh_agent "$scratch/agent" \
		--mca oob_tcp_if_include 10.99.7.0/24 --mca btl_tcp_if_include 10.99.7.0/24 \
		--host 10.99.7.1:$each,10.99.7.2:$each -n $((2 * each)) "$LOCKSTEP" "$@" >out 2>err </dev/null
	code=$?
	sed '/^lockstep: /!d' err >messages
}

bytes_sent() { ip netns exec ${name}x1 cat /sys/class/net/near/statistics/tx_bytes; }

for each in 1 2; do
	[ $each -eq 1 ] || [ -z "$LS_FAST" ] || break
	arguments="run allreduce -t hypercube:8 -a doubling -m 300 --seed 1 -e sweep"
	run $arguments --output alone.csv --trace alone_trace.csv
	before=$(bytes_sent)
	on_hosts $each $arguments --output out.csv --trace trace.csv --json
	check "exit 0 of $each processes on each of two hosts (was $code)" [ $code -eq 0 ]
	check "the files of one process" sh -c 'cmp alone.csv out.csv && cmp alone_trace.csv trace.csv'
	check "two hosts" holds "(d['processes']['count'], d['processes']['hosts']) == (2 * $each, 2)"
	# In one round each node sends to the other half of the cube.
	check "the network carries what crosses" [ $(($(bytes_sent) - before)) -gt $((128 * 300 * 8)) ]
done
[ -z "$LS_FAST" ] || [ -n "$LS_THIN" ] || finish
on_hosts 1 run allreduce -t star:4
check "the line of two hosts" grep -q '^processes  2 on 2 hosts, 12 nodes each; .* % of the messages cross, 1 of 6 rounds' out
on_hosts 1 run allreduce -t star:4 --times --trace timed.csv
check "hosts have different clocks" grep -q '^processes  2 on 2 hosts; this run takes place in process 0' out
on_hosts 1 run allgather -t star:12 -e sweep
check "exit 3 where memory lacks (was $code)" [ $code -eq 3 ]
check "the message names the process and its host" \
	grep -q '^lockstep: allgather on star:12 needs .* in process 0 on host1, but only .* of memory is available ([^,]*); try ' messages
finish
