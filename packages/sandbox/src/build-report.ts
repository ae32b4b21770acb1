/** Where a build says how far it is. */
export interface BuildReport {
  /** One finished sentence. */
  line(text: string): void;
  /** A line that replaces the one before. */
  update(text: string): void;
}
