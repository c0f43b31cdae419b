// The user, the groups, and the privileges of the processes in simulated containers, from the security contexts of the Pod and the container.

// The users and groups of /etc/passwd and /etc/group that the images of the suite have in common; all of them start as root.
const USERS = [
  { name: "root", uid: 0, gid: 0, groups: [10] },
  { name: "nobody", uid: 65_534, gid: 65_534, groups: [] },
];
const GROUPS = new Map([
  [0, "root"],
  [10, "wheel"],
  [65_534, "nobody"],
]);

/** Returns the container of a Pod by its name, also one that initializes or debugs it. */
export function specOf({ pod, container }) {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  return [...containers, ...initContainers, ...ephemeralContainers].find(({ name }) => name === container);
}

/**
 * Returns the identity of a container's processes as container runtimes set it: what the container asks for precedes what its Pod asks for, and a user without a
 * group has the group of the image, or else that of root.
 */
export function identityOf(process) {
  const pod = process.pod.spec.securityContext ?? {};
  const own = specOf(process)?.securityContext ?? {};
  const uid = own.runAsUser ?? pod.runAsUser ?? 0;
  const user = USERS.find((each) => each.uid === uid);
  const gid = own.runAsGroup ?? pod.runAsGroup ?? user?.gid ?? 0;
  const ofImage = pod.supplementalGroupsPolicy === "Strict" ? [] : (user?.groups ?? []);
  const ofVolumes = pod.fsGroup === undefined ? [] : [pod.fsGroup];
  const isPrivileged = own.privileged === true;
  return {
    uid,
    gid,
    groups: [...new Set([gid, ...ofImage, ...ofVolumes, ...(pod.supplementalGroups ?? [])])],
    isPrivileged,
    hasNoNewPrivileges: own.allowPrivilegeEscalation === false,
    // Users other than root have capabilities only by programs that raise their privileges.
    canConfigureNetwork: uid === 0 && (isPrivileged || addsCapability(own.capabilities, "NET_ADMIN")),
  };
}

function addsCapability({ add = [] } = {}, name) {
  return add.some((each) => each === "ALL" || each.replace(/^CAP_/u, "") === name);
}

/** Returns the user that a program with the set-user-ID bit of root runs as. */
export function raisedUser({ uid, hasNoNewPrivileges }) {
  return hasNoNewPrivileges ? uid : 0;
}

/** Returns the name of a user, undefined for one that the image does not have. */
export function userName(uid) {
  return USERS.find((each) => each.uid === uid)?.name;
}

/** Returns the name of a group, undefined for one that the image does not have. */
export function groupName(gid) {
  return GROUPS.get(gid);
}
