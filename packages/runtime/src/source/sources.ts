/** The sources, as `source` of the package: they bring events to handlers. */
export { EventChannel, type SendOptions } from "./event-channel.ts";
export {
  channel,
  type ChannelSourceOptions,
  func,
  type HandledBy,
  informer,
  type InformerSourceOptions,
  kind,
  kindMetadata,
  type KindMetadataSourceOptions,
  type KindSourceOptions,
  type WatchedKind,
} from "./source.ts";
