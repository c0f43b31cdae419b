#!/bin/sh
# The first process in the namespaces of scripts/node/sandbox.mjs: prepares cgroups and the network of a node, and runs the command.
set -e

# Shows this sandbox's cgroups as the roots of their hierarchies, so that container programs can use no others.
mount --make-rprivate /
for hierarchy in blkio cpu cpuacct cpuset devices freezer memory pids; do
  umount "/sys/fs/cgroup/$hierarchy"
  mount -t cgroup -o "$hierarchy" cgroup "/sys/fs/cgroup/$hierarchy"
done
umount /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
# Programs keep sockets, locks, network namespaces, and links to logs in these folders, wherever their own folder is.
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
# Volumes of Pods are mounted in their containers, too.
mount --make-rshared /

ip link set lo up
ip link add cni0 type bridge
ip address add 10.88.0.1/16 dev cni0
ip link set cni0 up
echo 1 > /proc/sys/net/ipv4/ip_forward
# The Service `kubernetes`, in place of kube-proxy.
iptables -w -t nat -A PREROUTING -d 10.0.0.1/32 -p tcp --dport 443 -j DNAT --to-destination 10.88.0.1:6443

# A shell that stays the first process forwards no signals, but its end is the end of all.
"$@"
