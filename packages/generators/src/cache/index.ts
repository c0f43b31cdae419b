/**
 * Caches on disk and in memory: {@link createCacheStore} keeps the newest entries of a folder, {@link userCacheFolder} is the folder of the user,
 * and a {@link ByteStore} holds parsed sources and generated parts between processes.
 */
export { type ByteStore } from "./memo.ts";
export { type CacheBounds, type CacheKind, type CacheStore, createCacheStore, userCacheFolder } from "./store.ts";
