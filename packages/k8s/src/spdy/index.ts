/** SPDY 3.1, which carries exec, attach, and port forwarding: frames, header compression, and sessions. */
export { spdyDictionary } from "./dictionary.ts";
export { SpdyError } from "./errors.ts";
export { encodeFrame, FrameReader, type SpdyFrame, type SpdySetting } from "./frames.ts";
export { HeaderCodec, type SpdyHeaders } from "./headers.ts";
export { SpdySession, type SpdySessionOptions, type SpdyTransport } from "./session.ts";
export { SpdyStream } from "./stream.ts";
