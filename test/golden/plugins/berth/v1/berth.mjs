#!/usr/bin/env node
// An external plugin, which kubebuilder runs too: it limits in config/berth how many objects the manager's namespace may hold.
import process from "node:process";
import { json } from "node:stream/consumers";

const DEFAULT = "config/default/kustomization.yaml";
const QUOTA = "config/berth/quota.yaml";
const FLAGS = {
  "--init": [{ name: "pods", type: "int", default: "4", usage: "how many Pods there may be" }],
  "--api": [{ name: "berths", type: "int", default: "16", usage: "how many objects of the kind there may be" }],
};
const HELP = { description: "Limits objects.", examples: "init --plugins=berth/v1 --pods=2" };

const STEPS = {
  flags: ({ args }) => ({ flags: FLAGS[args[0]] ?? [] }),
  metadata: () => ({ metadata: HELP }),
  init: ({ args, universe }) => ({
    universe: {
      "config/berth/kustomization.yaml": "resources:\n- quota.yaml\n",
      [QUOTA]: quota(valueOf(args, "pods") ?? "4"),
      [DEFAULT]: universe[DEFAULT].replace(/^- \.\.\/manager$/mu, "$&\n- ../berth"),
    },
  }),
  "create api": ({ args, universe, config }) =>
    runsImage(valueOf(args, "kind"), config) ? {} : { universe: { [QUOTA]: withLimit(universe[QUOTA], args) } },
  "create webhook": () => ({}),
  edit: () => ({}),
};

function quota(pods) {
  return `apiVersion: v1
kind: ResourceQuota
metadata:
  name: berths
  namespace: system
spec:
  hard:
    pods: "${pods}"
`;
}

// Kinds of the plugin deploy-image are made without this one.
function runsImage(kind, { plugins = {} }) {
  const [, deployed] = Object.entries(plugins).find(([key]) => key.startsWith("deploy-image.")) ?? [];
  return deployed?.resources.some((resource) => resource.kind === kind) ?? false;
}

function withLimit(text, args) {
  const [kind, group] = ["kind", "group"].map((name) => valueOf(args, name));
  const counted = `count/${kind.toLowerCase()}s.${group}.example.com`;
  return text.includes(counted) ? text : `${text}    ${counted}: "${valueOf(args, "berths") ?? "16"}"\n`;
}

function valueOf(args, name) {
  const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  return at < 0 ? undefined : (args[at].split("=")[1] ?? args[at + 1]);
}

const request = await json(process.stdin);
const { apiVersion, command } = request;
process.stdout.write(
  JSON.stringify({ apiVersion, command, universe: {}, error: false, ...STEPS[command](request) }),
);
