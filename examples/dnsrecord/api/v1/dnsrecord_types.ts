import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** RecordType is the type of a DNS record. */
export type RecordType = "A" | "AAAA" | "CNAME" | "TXT";

/** DeletionPolicy determines what happens to the DNS record when its object is deleted. */
export type DeletionPolicy = "Delete" | "Retain";

/** DNSRecordSpec defines the desired state of DNSRecord. */
export interface DNSRecordSpec {
  /**
   * zone is the DNS zone, such as "example.com".
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:MaxLength=253
   * +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the zone is immutable"
   */
  zone: string;

  /**
   * name is the name of the record in the zone, such as "www"; "@" is the zone itself.
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:MaxLength=253
   * +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the name is immutable"
   */
  name: string;

  /**
   * type is the type of the record.
   * +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the type is immutable"
   */
  type: RecordType;

  /**
   * values are the values of the record.
   * +listType=atomic
   * +kubebuilder:validation:MinItems=1
   * +kubebuilder:validation:MaxItems=20
   */
  values: string[];

  /**
   * ttlSeconds is the time for which resolvers cache the record.
   * +kubebuilder:validation:Minimum=30
   * +kubebuilder:default=300
   */
  ttlSeconds?: int32;

  /**
   * credentialsSecret is the name of the Secret with the keys "url" and "token" of the DNS API. It must be in the namespace of the object.
   * +kubebuilder:validation:MinLength=1
   */
  credentialsSecret: string;

  /**
   * deletionPolicy determines what happens to the record when the object is deleted: "Retain" leaves it in the zone.
   * +kubebuilder:default=Delete
   */
  deletionPolicy?: DeletionPolicy;
}

/** DNSRecordStatus defines the observed state of DNSRecord. */
export interface DNSRecordStatus {
  /** observedGeneration is the generation of the spec that the DNS API has last accepted. */
  observedGeneration?: int64;

  /** recordId is the ID of the record at the DNS API. */
  recordId?: string;

  /**
   * conditions describe the state of the DNSRecord: "Ready" is True if the record at the DNS API is as specified.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * DNSRecord is the schema of the dnsrecords API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Zone",type=string,JSONPath=".spec.zone"
 * +kubebuilder:printcolumn:name="Name",type=string,JSONPath=".spec.name"
 * +kubebuilder:printcolumn:name="Type",type=string,JSONPath=".spec.type"
 * +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.conditions[?(@.type=='Ready')].status"
 * +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=".status.conditions[?(@.type=='Ready')].reason"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface DNSRecord extends NamespacedObject {
  /** spec defines the desired state of DNSRecord. */
  spec: DNSRecordSpec;

  /** status defines the observed state of DNSRecord. */
  status?: DNSRecordStatus;
}

export const DNSRecord: Kind<DNSRecord> = defineKind<DNSRecord>(GroupVersion, "DNSRecord");
