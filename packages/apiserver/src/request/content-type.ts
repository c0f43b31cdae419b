import { failure, unsupportedMediaType } from "./failures.ts";

/** How a body is written. */
export type BodyFormat = "json" | "yaml";

const ACCEPTED = ["application/json", "application/yaml"] as const;
const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Returns the media type of a `Content-Type` header, without parameters and in lower case. */
export function mediaTypeOf(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * Tells how the body of a request is written; without a `Content-Type` it is JSON.
 *
 * Fails: with 415 for any other type.
 */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  const mediaType = mediaTypeOf(contentType);
  switch (mediaType) {
    case "":
    case "application/json":
      return "json";
    case "application/yaml":
    case "application/x-yaml":
    case "text/yaml":
      return "yaml";
    case PROTOBUF:
      throw failure({
        code: 415,
        reason: "UnsupportedMediaType",
        message: `the embedded API server does not read bodies of type ${PROTOBUF} yet - accepted media types include: ${ACCEPTED.join(", ")}`,
      });
    default:
      throw unsupportedMediaType(ACCEPTED);
  }
}
