import { describe, expect, it } from "vitest";

import { type AuthorizedRequest, deniedVerbIn, isTrueParameter, usedVerbs } from "../src/permissions.ts";

describe("the verbs that a request uses", () => {
  it.each<[AuthorizedRequest, readonly string[]]>([
    [{ verb: "get" }, ["get"]],
    [{ verb: "list" }, ["list"]],
    [{ verb: "list", sendInitialEvents: "true" }, ["list"]],
    [{ verb: "watch" }, ["watch"]],
    [{ verb: "watch", sendInitialEvents: null }, ["watch"]],
    [{ verb: "watch", sendInitialEvents: "false" }, ["watch"]],
    [{ verb: "watch", sendInitialEvents: "FALSE" }, ["watch"]],
    [{ verb: "watch", sendInitialEvents: "0" }, ["watch"]],
    [{ verb: "watch", sendInitialEvents: "true" }, ["list", "watch"]],
    [{ verb: "watch", sendInitialEvents: "1" }, ["list", "watch"]],
    [{ verb: "watch", sendInitialEvents: "" }, ["list", "watch"]],
    [{ verb: "create", isCreated: true }, ["create"]],
    [{ verb: "update" }, ["update"]],
    [{ verb: "update", isCreated: true }, ["create", "update"]],
    [{ verb: "patch" }, ["patch"]],
    [{ verb: "patch", isCreated: true }, ["create", "patch"]],
    [{ verb: "delete", isCreated: true }, ["delete"]],
    [{ verb: "deletecollection" }, ["deletecollection"]],
    [{ verb: "get", subresource: "exec" }, ["get"]],
    [{ verb: "get", subresource: "exec", opensWebSocket: true }, ["create", "get"]],
    [{ verb: "get", subresource: "attach", opensWebSocket: true }, ["create", "get"]],
    [{ verb: "get", subresource: "portforward", opensWebSocket: true }, ["create", "get"]],
    [{ verb: "get", subresource: "proxy", opensWebSocket: true }, ["get"]],
    [{ verb: "get", subresource: "log", opensWebSocket: true }, ["get"]],
    [{ verb: "create", subresource: "exec", opensWebSocket: true }, ["create"]],
  ])("of %o are %j", (request, verbs) => {
    expect(usedVerbs(request)).toEqual(verbs);
  });
});

it("a parameter of a query is true unless it is missing, false, or 0", () => {
  expect([undefined, null, "false", "False", "0"].map(isTrueParameter)).toEqual(Array.from({ length: 5 }, () => false));
  expect(["", "true", "1", "no"].map(isTrueParameter)).toEqual(Array.from({ length: 4 }, () => true));
});

describe("the verb that was denied", () => {
  it.each([
    ['pods is forbidden: User "a" cannot list resource "pods" in API group "" at the cluster scope', "list"],
    ['configmaps "a" is forbidden: User "a" cannot create resource "configmaps" in API group "" in …', "create"],
    ['forbidden: User "a" cannot get path "/metrics"', "get"],
    ['admission webhook "a.example.com" denied the request: no', undefined],
    ['pods "a" is forbidden: exceeded quota: q', undefined],
  ])("is in the message %j: %s", (message, verb) => {
    expect(deniedVerbIn(message)).toBe(verb);
  });
});
