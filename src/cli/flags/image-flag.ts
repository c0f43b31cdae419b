import { InvalidFlagError } from "../command/errors.ts";

/** Returns the image that `--image` or the variable IMG names; undefined when neither is set. Fails: {@link InvalidFlagError} for a text that names none. */
export function imageFlag(given: string | undefined, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const image = given ?? env["IMG"];
  if (image === undefined || /^\S+$/u.test(image)) return image;
  const source = given !== undefined ? "for flag --image" : "of IMG";
  throw new InvalidFlagError(`invalid value ${JSON.stringify(image)} ${source}: not the name of an image`, {
    hint: "pass a name such as registry.example.com/guestbook:v1, or omit it",
  });
}
