// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Widget has text
 * over several lines,   with blanks,
 *
 *
 * and paragraphs.
 *   Indented line.
 * TODO(someone): not in the text
 * - a list
 *
 * ```
 * TODO in a fence stays
 * ---
 * ```
 * ---
 * after the line nothing counts
 */
export interface Widget extends KubernetesObject {
  /** One line: with a colon, "quotes" and a # sign. */
  colon: string;
  /**
   * Before the marker.
   * +optional
   * After the marker.
   */
  around: string;
  /** A line that is long enough that the printer of the schema has to fold it into two or more lines of text. */
  long: string;

  // Not a description.
  // +optional

  /** The description. */
  separated: string;
  /** Ends before a line.
   *
   * ---
   * Not this.
   */
  cut: string;
  /** Emoji 😀 and umlauts äöü. */
  unicode: string;
  /** 'single' quoted start */
  quoted: string;
  none: string;
  /** 42 */
  number: string;
  /** yes */
  word: string;
}
