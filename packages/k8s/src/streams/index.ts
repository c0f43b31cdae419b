/** The protocols of the streams of pods: exec, attach, and port-forward. */
export {
  CHANNELS,
  decodeTerminalSize,
  encodeTerminalSize,
  PORT_FORWARD_HEADERS,
  PORT_FORWARD_PROTOCOL,
  REMOTE_COMMAND_PROTOCOLS,
  type RemoteCommandProtocol,
  type TerminalSize,
} from "./channels.ts";
