import { describe, expect, it } from "vitest";

import { type PodSpec, restrictedViolations } from "./pod-security.ts";

const SECURE = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const pod = (container: object, others: object = {}): PodSpec => ({
  containers: [{ name: "c", securityContext: { ...SECURE, ...container } }],
  ...others,
});

// The rules of the standard, each broken once: an evaluation that lets something pass would prove nothing.
describe("restrictedViolations", () => {
  it.each<[string, PodSpec]>([
    ["the smallest Pod that is secure", pod({})],
    [
      "settings of the Pod in place of the container's",
      {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "Localhost" } },
        containers: [
          { name: "c", securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } },
        ],
      },
    ],
    ["a capability to bind low ports", pod({ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } })],
    [
      "volumes of the sorts that hold no host",
      pod(
        {},
        {
          volumes: [
            { name: "v", secret: {} },
            { name: "w", emptyDir: {} },
          ],
        },
      ),
    ],
  ])("admits %s", (_, spec) => {
    expect(restrictedViolations(spec)).toEqual([]);
  });

  it.each<[string, PodSpec]>([
    ["hostNetwork", pod({}, { hostNetwork: true })],
    ["hostPID", pod({}, { hostPID: true })],
    ["hostPath", pod({}, { volumes: [{ name: "v", hostPath: { path: "/" } }] })],
    ["sysctl", pod({}, { securityContext: { sysctls: [{ name: "kernel.msgmax" }] } })],
    ["privileged", pod({ privileged: true })],
    ["allowPrivilegeEscalation", pod({ allowPrivilegeEscalation: undefined })],
    ["procMount", pod({ procMount: "Unmasked" })],
    ["drop ALL", pod({ capabilities: { drop: ["NET_RAW"] } })],
    ["are added", pod({ capabilities: { drop: ["ALL"], add: ["SYS_TIME"] } })],
    ["runAsNonRoot is not true", pod({ runAsNonRoot: undefined })],
    ["runAsUser", pod({ runAsUser: 0 })],
    ["seccompProfile", pod({ seccompProfile: { type: "Unconfined" } })],
    ["appArmorProfile", pod({ appArmorProfile: { type: "Unconfined" } })],
    ["seLinuxOptions", pod({ seLinuxOptions: { type: "spc_t" } })],
    ["hostProcess", pod({ windowsOptions: { hostProcess: true } })],
    ["hostPort", { containers: [{ name: "c", securityContext: SECURE, ports: [{ hostPort: 80 }] }] }],
    ["init", { ...pod({}), initContainers: [{ name: "init" }] }],
  ])("refuses %s", (text, spec) => {
    expect(restrictedViolations(spec).join("\n")).toContain(text);
  });
});
