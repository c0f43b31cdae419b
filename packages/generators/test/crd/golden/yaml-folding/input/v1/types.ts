// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:XValidation:rule="self.all(x, x.startsWith('aaaaaaaaaa') || x.startsWith('bbbbbbbbbbbbb') || x.startsWith('ccccccccc'))",message="a message that is so long that it has to be folded: it has a colon, which makes it quoted"
  rules: string[];
  /** One line that is long enough to be folded by the printer because it has more than eighty columns of text in it, twice. */
  plain: string;
  /** One line: that is long enough to be folded by the printer, and has a colon, so that it stands in single quotes. */
  quoted: string;
  // +kubebuilder:default="a\ttab in a text that is long enough to be folded, and is in double quotes therefore, which changes how"
  tabbed?: string;
  // +kubebuilder:validation:Pattern=`^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$`
  noBlank: string;
  /**
   * Two lines, of which this one is long enough to be folded if it were not in a literal block, where
   * nothing is folded.
   */
  block: string;
  // +kubebuilder:example="ends with a long wooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooord of letters"
  word: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
