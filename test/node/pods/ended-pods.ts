import type { Container } from "@kubescaffold/k8s/core/v1";

import { OTHER_SHELL_IMAGE } from "../images.ts";
import { deleted, END, event, FOREVER, NEVER, pod, READY, RESTARTED, script, sidecar, STOPPABLE } from "./pod-parts.ts";
import type { TablePod } from "./table-pod.ts";

/** Pods about exit codes, restart policies, signals, termination messages, and the end of running Pods. */
export const ENDED_PODS: readonly TablePod[] = [
  // Exit codes and restart policies.
  pod("succeeds", END, [script("exit 0")], NEVER),
  pod("fails", END, [script("exit 3")], NEVER),
  pod("fails-with-255", END, [script("exit 255")], NEVER),
  pod("program-is-missing", END, [{ ...script(""), command: ["/no-such-program"] }], NEVER),
  pod("program-is-not-in-path", END, [{ ...script(""), command: ["no-such-program"] }], NEVER),
  pod("program-is-missing-again", event("BackOff"), [{ ...script(""), command: ["/no-such-program"] }]),
  pod("one-of-two-fails", END, [script("exit 0"), script("exit 1", "other")], NEVER),
  pod("both-succeed", END, [script("exit 0"), script("sleep 1; exit 0", "other")], NEVER),
  pod("on-failure-succeeds", END, [script("exit 0")], { restartPolicy: "OnFailure" }),
  pod("on-failure-loops", event("BackOff"), [script("exit 4")], { restartPolicy: "OnFailure" }),
  pod("always-loops-on-failure", event("BackOff"), [script("exit 5")]),
  pod("always-loops-on-success", event("BackOff"), [script("exit 0")]),
  pod("one-of-two-ends", event("BackOff"), [script(FOREVER), script("exit 1", "other")]),
  pod("restarts-by-rule", event("BackOff"), [{ ...script("exit 42"), ...restartsOn(42) }], NEVER),
  pod("restarts-not-by-rule", END, [{ ...script("exit 41"), ...restartsOn(42) }], NEVER),
  pod("deadline", END, [script(FOREVER)], { activeDeadlineSeconds: 3, terminationGracePeriodSeconds: 1 }),
  {
    ...pod("out-of-memory", END, [{ ...script("tail /dev/zero"), ...limits({ memory: "16Mi" }) }], NEVER),
    annotations: { "kubescaffold.dev/simulate": "oom" },
  },
  // Signals.
  // Kubernetes replaces $$ by $.
  pod("kills-itself", END, [script("sleep 1; kill -KILL $$$$")], { ...NEVER, shareProcessNamespace: true }),
  deleted("deleted-by-signal", [script(FOREVER)], { shareProcessNamespace: true }),
  deleted("deleted-with-status-0", [script(STOPPABLE)]),
  deleted("deleted-with-status-7", [script("trap 'exit 7' TERM; sleep 100000 & wait")]),
  deleted("deleted-and-killed", [script(FOREVER)], { terminationGracePeriodSeconds: 1 }),
  // Termination messages.
  pod("message-in-file", END, [script("echo the reason > /dev/termination-log; exit 1")], NEVER),
  pod("message-of-success", END, [script("echo all is well > /dev/termination-log; exit 0")], NEVER),
  pod("message-in-other-file", END, [messageIn("/tmp/reason")], NEVER),
  pod("message-from-log", END, [{ ...script("echo from the log; exit 1"), ...fallBack() }], NEVER),
  pod("no-message-from-log", END, [{ ...script("echo from the log; exit 0"), ...fallBack() }], NEVER),
  // Hooks.
  deleted("deleted-with-hook", [{ ...script(STOPPABLE), ...preStop("sleep 1") }]),
  deleted("deleted-with-failing-hook", [{ ...script(STOPPABLE), ...preStop("exit 1") }]),
  deleted("deleted-with-sidecar", [script(STOPPABLE)], { initContainers: [sidecar(STOPPABLE)] }),
  pod("hook-succeeds", READY, [{ ...script(FOREVER), ...postStart("true") }]),
  pod("hook-fails", event("BackOff"), [{ ...script(STOPPABLE), ...postStart("exit 1") }]),
  // Changes of running Pods.
  {
    ...pod("image-is-changed", RESTARTED, [script(STOPPABLE)]),
    change: { kind: "image", image: OTHER_SHELL_IMAGE },
  },
];

function restartsOn(code: number): Pick<Container, "restartPolicy" | "restartPolicyRules"> {
  return {
    restartPolicy: "Never",
    restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [code] } }],
  };
}

/** Returns the limits of a container, and equal requests. */
export function limits(quantities: Readonly<Record<string, string>>): Pick<Container, "resources"> {
  return { resources: { limits: quantities, requests: quantities } };
}

function messageIn(file: string): Container {
  return { ...script(`echo the reason > ${file}; exit 1`), terminationMessagePath: file };
}

function fallBack(): Pick<Container, "terminationMessagePolicy"> {
  return { terminationMessagePolicy: "FallbackToLogsOnError" };
}

function preStop(text: string): Pick<Container, "lifecycle"> {
  return { lifecycle: { preStop: { exec: { command: ["/bin/sh", "-c", text] } } } };
}

function postStart(text: string): Pick<Container, "lifecycle"> {
  return { lifecycle: { postStart: { exec: { command: ["/bin/sh", "-c", text] } } } };
}
