import { ScaffoldError } from "@kubescaffold/k8s";

import { messageOf } from "../log/logger.ts";

/** Thrown when the serving certificate cannot be read or does not match its key. */
export class WebhookCertificateError extends ScaffoldError {
  readonly code = "WEBHOOK_CERTIFICATE";

  constructor(paths: { readonly cert: string; readonly key: string }, cause: unknown) {
    super(`cannot load the serving certificate ${paths.cert} with key ${paths.key}: ${messageOf(cause)}`, {
      cause,
      hint: "mount the certificate there, or set its folder with --webhook-cert-path",
    });
  }
}

/** Thrown when the server cannot listen, mostly because the port is in use. */
export class WebhookListenError extends ScaffoldError {
  readonly code = "WEBHOOK_LISTEN";

  constructor(address: { readonly host: string; readonly port: number }, cause: unknown) {
    const place = `${address.host === "" ? "port" : `${address.host}, port`} ${String(address.port)}`;
    super(`cannot serve webhooks on ${place}: ${messageOf(cause)}`, {
      cause,
      hint: "stop the process that uses the port, or set another one with --webhook-port",
    });
  }
}

/** Thrown when two handlers are registered for one path. */
export class WebhookPathTakenError extends ScaffoldError {
  readonly code = "WEBHOOK_PATH_TAKEN";

  constructor(path: string) {
    super(`cannot register a second webhook for the path ${path}`);
  }
}

/** Thrown when a custom path of a webhook is invalid. */
export class WebhookBadPathError extends ScaffoldError {
  readonly code = "WEBHOOK_BAD_PATH";

  constructor(path: string) {
    super(`cannot serve a webhook at ${JSON.stringify(path)}: it is not a path of letters, digits, "-" and "_"`, {
      hint: 'write it like "/validate-webapp-example-com-v1-guestbook"',
    });
  }
}

/** Thrown when a webhook is completed without a handler. */
export class WebhookIncompleteError extends ScaffoldError {
  readonly code = "WEBHOOK_INCOMPLETE";

  constructor(reason: string) {
    super(`cannot build the webhook: ${reason}`, {
      hint: "call for(kind), and withDefaulter, withValidator, or withConversion, before complete()",
    });
  }
}

/** Thrown when converters do not belong to one kind: another kind, a duplicate version, or a hub that is its own spoke. */
export class WebhookConversionError extends ScaffoldError {
  readonly code = "WEBHOOK_CONVERSION";

  constructor(reason: string) {
    super(`cannot register the conversion: ${reason}`, {
      hint: "give the builder of the hub one converter for each other version of the same kind",
    });
  }
}
