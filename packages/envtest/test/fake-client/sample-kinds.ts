import { defineKind, type Kind } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** A custom kind of the tests. */
export interface Widget extends KubernetesObject {
  spec?: { size?: number; color?: string; parts?: { name: string; count?: number }[] };
  status?: { ready?: number; conditions?: Condition[] };
}

export const Widget: Kind<Widget> = defineKind({ group: "fake.example.com", version: "v1" }, "Widget");

/** Returns a Widget in the namespace `default`. */
export function widget(name: string, fields: Partial<Omit<Widget, "apiVersion" | "kind">> = {}): Widget {
  return Widget.create({ ...fields, metadata: { namespace: "default", name, ...fields.metadata } });
}

/** Returns the definition of Widget. */
export function widgetDefinition(subresources: object = { status: {} }): CustomResourceDefinition {
  const count = { type: "integer", format: "int32" };
  const parts = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { type: "object", required: ["name"], properties: { name: { type: "string" }, count } },
  };
  const rule = { rule: "self <= 10", message: "must be at most 10" };
  const size = { ...count, minimum: 0, "x-kubernetes-validations": [rule] };
  const spec = { type: "object", properties: { size, color: { type: "string", default: "red" }, parts } };
  const status = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return CustomResourceDefinition.create({
    metadata: { name: "widgets.fake.example.com" },
    spec: {
      group: Widget.group,
      names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources,
          schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
          selectableFields: [{ jsonPath: ".spec.color" }],
        },
      ],
    },
  });
}
