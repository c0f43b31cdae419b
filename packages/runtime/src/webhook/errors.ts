import { messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the serving certificate or its key cannot be read, or they do not match.
 *
 * Fix: Mount the certificate, or set its folder with `--webhook-cert-path`.
 */
export class WebhookCertificateError extends ScaffoldError {
  readonly code = "WEBHOOK_CERTIFICATE";

  constructor(paths: { readonly cert: string; readonly key: string }, cause: unknown) {
    super(`cannot load the serving certificate ${paths.cert} with key ${paths.key}: ${messageOf(cause)}`, {
      cause,
      hint: "mount the certificate there, or set its folder with --webhook-cert-path",
    });
  }
}

/**
 * Thrown when the certificates of the authorities of webhook clients cannot be read.
 *
 * Fix: Mount the certificate authority of the API server's client certificate in the certificate folder, under the name of `clientCaName`.
 */
export class WebhookClientCaError extends ScaffoldError {
  readonly code = "WEBHOOK_CLIENT_CA";

  constructor(file: string, cause: unknown) {
    super(`cannot load the client certificate authorities ${file}: ${messageOf(cause)}`, {
      cause,
      hint: "mount them there, or omit clientCaName to accept clients without a certificate",
    });
  }
}

/**
 * Thrown when the webhook server cannot listen, typically because its port is in use.
 *
 * Fix: Stop the process that uses the port, or set another port with `--webhook-port`.
 */
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

/**
 * Thrown when two handlers are registered for the same path.
 *
 * Fix: Register one handler per path.
 */
export class WebhookPathTakenError extends ScaffoldError {
  readonly code = "WEBHOOK_PATH_TAKEN";

  constructor(path: string) {
    super(`cannot register a second webhook for the path ${path}`);
  }
}

/**
 * Thrown when a custom webhook path is invalid.
 *
 * Fix: Use letters, digits, `-`, and `_` between slashes.
 */
export class WebhookBadPathError extends ScaffoldError {
  readonly code = "WEBHOOK_BAD_PATH";

  constructor(path: string) {
    super(`cannot serve a webhook at ${JSON.stringify(path)}: it is not a path of letters, digits, "-" and "_"`, {
      hint: 'write it like "/validate-webapp-example-com-v1-guestbook"',
    });
  }
}

/**
 * Thrown when a webhook is completed without a defaulter, validator, or conversion.
 *
 * Fix: Call `withDefaulter`, `withValidator`, or `withConversion` before `complete()`.
 */
export class WebhookIncompleteError extends ScaffoldError {
  readonly code = "WEBHOOK_INCOMPLETE";

  constructor(reason: string) {
    super(`cannot build the webhook: ${reason}`, {
      hint: "call for(kind), and withDefaulter, withValidator, or withConversion, before complete()",
    });
  }
}

/**
 * Thrown when a conversion cannot be registered: a converter for another kind, a duplicate version, a second hub, or a hub that is its own spoke.
 *
 * Fix: Register one converter for each spoke of the same kind in the hub's builder.
 */
export class WebhookConversionError extends ScaffoldError {
  readonly code = "WEBHOOK_CONVERSION";

  constructor(reason: string) {
    super(`cannot register the conversion: ${reason}`, {
      hint: "give the builder of the hub one converter for each other version of the same kind",
    });
  }
}

/**
 * Thrown when an object cannot be converted: no converter is registered for its version or the requested one, or the object has the version already.
 *
 * Fix: Register a converter for each version that the CustomResourceDefinition serves or stores.
 */
export class WebhookConvertError extends ScaffoldError {
  readonly code = "WEBHOOK_CONVERT";

  constructor(object: string, apiVersion: string, reason: string) {
    const target = apiVersion === "" ? "" : ` to version ${JSON.stringify(apiVersion)}`;
    super(`cannot convert ${object}${target}: ${reason}`, {
      hint: "register a converter with withConversion for each version that the CustomResourceDefinition serves or stores",
    });
  }
}
