/** One line of a gate's evidence. */
export interface Check {
  check: string;
  ok: boolean;
  detail: string;
}
