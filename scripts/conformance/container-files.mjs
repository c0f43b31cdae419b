// The files of simulated containers: each container has its own, volumes are shared by those that mount them.
import path from "node:path";

import { specOf } from "./container-identity.mjs";
import { kernelFiles } from "./kernel-files.mjs";

const FOLDER = Symbol("folder");

// The files of each node that are mounted by their path.
const NODE_FILES = { "/etc/hosts": "127.0.0.1\tlocalhost\n" };

/** Creates the file systems of a cluster's containers; the returned function finds the one of a process. */
export function createFileSystems() {
  const stores = new Map();
  const storeOf = (name) => {
    if (!stores.has(name)) stores.set(name, new Map());
    return stores.get(name);
  };
  return (container, imageFiles = {}) => new ContainerFiles(container, { storeOf, imageFiles });
}

/** The files that one container sees, by absolute path. */
class ContainerFiles {
  #mounts;
  #root;
  #mounted;
  #kernel;
  #isReadOnly;
  #workingDir;
  #terminationMessage;

  constructor(process, { storeOf, imageFiles }) {
    const { pod, container, env, files, setTerminationMessage } = process;
    const spec = specOf(process);
    this.#kernel = kernelFiles(process);
    this.#isReadOnly = spec?.securityContext?.readOnlyRootFilesystem === true;
    this.#workingDir = spec?.workingDir ?? "/";
    const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]));
    this.#mounts = (spec?.volumeMounts ?? [])
      .map(({ name, ...mount }) => ({ ...mount, volume: volumes.get(name) }))
      .filter(({ volume }) => volume !== undefined)
      .map((mount) => ({
        mountPath: path.posix.normalize(mount.mountPath),
        store: storeOf(volumeName(pod, mount.volume)),
        root: rootOf(mount, env),
        nodePath: mount.volume.hostPath?.path,
        isReadOnly: mount.readOnly === true || isContentOfCluster(mount.volume),
      }))
      .toSorted((left, right) => right.mountPath.length - left.mountPath.length);
    // A kubelet makes the folders that are mounted.
    for (const { root, store } of this.#mounts) if (root !== "" && !store.has(root)) store.set(root, FOLDER);
    for (const { nodePath, store } of this.#mounts) {
      const text = NODE_FILES[nodePath];
      if (text !== undefined && !store.has("/")) store.set("/", Buffer.from(text));
    }
    this.#root = storeOf(`root/${pod.metadata.uid}/${container}`);
    this.#mounted = files;
    const file = spec?.terminationMessagePath ?? "";
    this.#terminationMessage = { file, set: setTerminationMessage ?? (() => undefined) };
    if (this.#root.size === 0)
      for (const [file, text] of Object.entries(imageFiles)) this.#root.set(file, Buffer.from(text));
    for (const folder of ["/tmp", "/var/tmp", "/dev", "/etc"]) this.#root.set(folder, FOLDER);
  }

  /** Returns the contents of a file, undefined if there is none. */
  read(file) {
    const absolute = this.#absolute(file);
    const found = this.#mounted.get(absolute) ?? this.#kernel.get(absolute) ?? this.#find(absolute);
    return Buffer.isBuffer(found) ? found : undefined;
  }

  exists(file) {
    return this.read(file) !== undefined || this.isFolder(file);
  }

  isFolder(file) {
    const { store, key } = this.#place(file);
    return key === "/" || store.get(key) === FOLDER || this.list(file).length > 0;
  }

  /** Returns why a file or folder cannot be written or removed: `EROFS` or `ENOENT`; undefined if it can. */
  refusal(file) {
    const absolute = this.#absolute(file);
    if (this.#place(absolute).isReadOnly) return "EROFS";
    return this.isFolder(path.posix.dirname(absolute)) ? undefined : "ENOENT";
  }

  /** Writes a file; returns why it cannot. */
  write(file, bytes, { isAppended = false } = {}) {
    if (file === "/dev/null") return undefined;
    const refusal = this.refusal(file);
    if (refusal !== undefined) return refusal;
    const { store, key } = this.#place(file);
    const written = isAppended ? Buffer.concat([this.read(file) ?? Buffer.alloc(0), bytes]) : bytes;
    store.set(key, written);
    if (this.#absolute(file) === this.#terminationMessage.file) this.#terminationMessage.set(written.toString("utf8"));
    return undefined;
  }

  makeFolder(file) {
    const { store, key } = this.#place(file);
    store.set(key, FOLDER);
  }

  /** Removes a file, or a folder with its contents. */
  remove(file) {
    const { store, key } = this.#place(file);
    for (const each of store.keys()) if (each === key || each.startsWith(`${key}/`)) store.delete(each);
  }

  /** Returns the names in a folder. */
  list(folder) {
    const absolute = this.#absolute(folder);
    const { store, key } = this.#place(absolute);
    const prefix = key === "/" ? "/" : `${key}/`;
    const own = [...store.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
    const start = absolute === "/" ? "/" : `${absolute}/`;
    const mounted = [...this.#mounted.keys(), ...this.#kernel.keys(), ...this.#mounts.map(({ mountPath }) => mountPath)]
      .filter((file) => file.startsWith(start))
      .map((file) => file.slice(start.length));
    const names = [...own, ...mounted].map((file) => file.split("/")[0]).filter((name) => name !== "");
    return [...new Set(names)].toSorted((left, right) => (left < right ? -1 : 1));
  }

  #find(file) {
    const { store, key } = this.#place(file);
    return store.get(key);
  }

  // The runtime mounts these into each container, with write access.
  #isOfNode(file) {
    return file === this.#terminationMessage.file || file === "/etc/hosts" || file.startsWith("/dev/");
  }

  #absolute(file) {
    return path.posix.resolve(this.#workingDir, file);
  }

  #place(file) {
    const absolute = this.#absolute(file);
    const mount = this.#mounts.find(({ mountPath }) => absolute === mountPath || absolute.startsWith(`${mountPath}/`));
    if (mount === undefined) {
      const isOfKernel = /^\/(?:proc|sys)(?:\/|$)/u.test(absolute);
      const isReadOnly = isOfKernel || (this.#isReadOnly && !this.#isOfNode(absolute));
      return { store: this.#root, key: absolute, isReadOnly };
    }
    const key = `${mount.root}${absolute.slice(mount.mountPath.length)}` || "/";
    return { store: mount.store, key, isReadOnly: mount.isReadOnly };
  }
}

// Kubelets mount the files of ConfigMaps, Secrets, and Pods without write access.
function isContentOfCluster({ configMap, secret, downwardAPI, projected }) {
  return (configMap ?? secret ?? downwardAPI ?? projected) !== undefined;
}

// The folder of a volume that is mounted, empty for all of it.
function rootOf({ subPath = "", subPathExpr = "" }, env) {
  const below =
    subPathExpr === "" ? subPath : subPathExpr.replaceAll(/\$\((\w+)\)/gu, (_match, name) => env[name] ?? "");
  return below === "" ? "" : path.posix.join("/", below);
}

function volumeName({ metadata, spec }, { name, hostPath, persistentVolumeClaim }) {
  if (hostPath !== undefined) return `host/${spec.nodeName}/${hostPath.path}`;
  if (persistentVolumeClaim !== undefined) return `claim/${metadata.namespace}/${persistentVolumeClaim.claimName}`;
  return `volume/${metadata.uid}/${name}`;
}
