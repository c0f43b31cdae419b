import type { Container } from "@kubescaffold/k8s/core/v1";

import { imageNameProblem } from "./image-name.ts";

/** What decides whether the image of a container can be used. */
export type NamedImage = Pick<Container, "image" | "imagePullPolicy" | "name">;

/** Why the image of a container cannot be used: a reason of kubelets, and their message. */
export interface ImageProblem {
  readonly reason: "ErrImageNeverPull" | "ErrImagePull" | "InvalidImageName";
  readonly message: string;
}

/** Returns why the image of a container cannot be used; undefined if it can. */
export function imageProblem(
  { image = "", imagePullPolicy }: NamedImage,
  definition: { readonly isMissing?: boolean } | undefined,
): ImageProblem | undefined {
  const problem = imageNameProblem(image);
  if (problem !== undefined) {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${problem}`;
    return { reason: "InvalidImageName", message };
  }
  if (definition?.isMissing !== true) return undefined;
  return imagePullPolicy === "Never"
    ? { reason: "ErrImageNeverPull", message: `Container image "${image}" is not present with pull policy of Never` }
    : { reason: "ErrImagePull", message: pullError(image) };
}

/** Returns the error of a container runtime that cannot pull an image. */
export function pullError(image: string): string {
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
}
