import { isIP } from "node:net";

import { invalidField, newInvalid } from "@kubescaffold/k8s";
import {
  type Defaulter,
  log,
  newWebhookManagedBy,
  type Validator,
  type Warnings,
  type WebhookHost,
} from "@kubescaffold/runtime";
import { relayConverter as relayV1alpha1Converter } from "../../../api/v1alpha1/relay_conversion.ts";
import { relayConverter as relayV1beta1Converter } from "../../../api/v1beta1/relay_conversion.ts";
// +kubebuilder:scaffold:imports

import { Relay } from "../../../api/v1/relay_types.ts";

const webhookLog = log.withName("relay-resource");

/** Registers the webhooks of Relay with the manager. */
export function setupRelayWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Relay)
    .withDefaulter(new RelayCustomDefaulter())
    .withValidator(new RelayCustomValidator())
    .withConversion(relayV1alpha1Converter)
    .withConversion(relayV1beta1Converter)
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * RelayCustomDefaulter sets default values on a Relay when it is created or updated. It supports only v1: the API server converts the
 * object before the call.
 * +kubebuilder:webhook:path=/mutate-network-demo-v1-relay,mutating=true,failurePolicy=fail,sideEffects=None,groups=network.demo,resources=relays,verbs=create;update,versions=v1,name=mrelay-v1.kb.io,admissionReviewVersions=v1
 */
export class RelayCustomDefaulter implements Defaulter<Relay> {
  /** Sets defaults in place; the object is a copy for this call. */
  default(relay: Relay): void {
    webhookLog.info("Defaulting Relay", { name: relay.metadata.name });
    relay.spec.listenPort ??= relay.spec.target.port;
  }
}

/**
 * RelayCustomValidator validates a Relay in v1 when it is created or updated. Throwing an error denies the request.
 * +kubebuilder:webhook:path=/validate-network-demo-v1-relay,mutating=false,failurePolicy=fail,sideEffects=None,groups=network.demo,resources=relays,verbs=create;update,versions=v1,name=vrelay-v1.kb.io,admissionReviewVersions=v1
 */
export class RelayCustomValidator implements Validator<Relay> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(relay: Relay): Warnings {
    webhookLog.info("Validating the creation of Relay", { name: relay.metadata.name });
    validate(relay);
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(old: Relay, relay: Relay): Warnings {
    webhookLog.info("Validating the update of Relay", { name: relay.metadata.name });
    validate(relay);
    if (old.spec.listenPort === undefined || old.spec.listenPort === relay.spec.listenPort) return [];
    return [`spec.listenPort was ${String(old.spec.listenPort)}: who connects to that port is no longer relayed`];
  }

  /** Never called: the verbs of the marker do not include delete. */
  validateDelete(): Warnings {
    return [];
  }
}

function validate({ metadata: { name = "", namespace = "" }, spec }: Relay): void {
  const { host } = spec.target;
  const own = [name, `${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  if (isIP(host) === 0 && !DNS_NAME.test(host)) throw refusal(name, host, "must be a DNS name or an IP address");
  if (own.includes(host)) throw refusal(name, host, "is the Service of the Relay itself: it would relay to itself");
}

const DNS_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

function refusal(name: string, badValue: string, detail: string): Error {
  const error = invalidField("spec.target.host", badValue, detail);
  return newInvalid({ group: Relay.group, kind: Relay.kind }, name, [error]);
}

// +kubebuilder:scaffold:webhookclass
