import type { Slot } from '@cua-forge/spec/engine';
import type { Verdict } from '@cua-forge/spec/kind';
import type { Located, Machine } from './machine.ts';
import { withDescendants } from './plan-index.ts';
import { pathOf } from './state.ts';

/** Feedback handed to a node is cut to this many characters. */
const FEEDBACK_LIMIT = 4_000;

const badEvidence = (verdict: Verdict): string =>
  verdict.evidence
    .filter((line) => !line.ok)
    .map((line) => `${line.check}: ${line.detail}`)
    .join('; ')
    .slice(0, 1_000) || 'no evidence given';

/** Takes a gate's verdict: lets it pass, fails it, or holds it until the other gates have judged. */
export function judge(machine: Machine, gate: Located, verdict: Verdict, outputs: Record<string, Slot>): void {
  if (verdict.verdict === 'pass') {
    machine.succeed(gate, outputs);
    return;
  }
  const evidence = badEvidence(verdict);
  const place = { node: gate.key };
  if (verdict.verdict === 'reject') {
    machine.fail(gate, { code: 'gate.rejected', message: `Rejected. ${evidence}`, place });
    return;
  }
  const rule = gate.plan.repair;
  if (!rule) {
    machine.fail(gate, {
      code: 'gate.rejected',
      message: `Asks for a repair, but has no repair target. ${evidence}`,
      fix: 'Give the gate a repair target upstream, or change what it judges.',
      place,
    });
    return;
  }
  const used = gate.state.repairs ?? 0;
  if (used >= rule.rounds) {
    machine.fail(gate, {
      code: 'gate.exhausted',
      message: `Still not right after ${used} ${used === 1 ? 'repair' : 'repairs'}. ${evidence}`,
      fix: `Allow more rounds, or mend '${rule.target}'.`,
      place,
    });
    return;
  }
  gate.state.held = { feedback: (verdict.feedback ?? evidence).slice(0, FEEDBACK_LIMIT), evidence };
  gate.state.note = 'asks for a repair; waits for the other gates';
  gate.instance.held.push(gate.plan.id);
  machine.touched.add(gate.path);
  machine.note(gate);
}

/** Once every gate that could still object has judged: reject beats repair beats pass. */
export function decideRepairs(machine: Machine, path: string): void {
  const instance = machine.state.instances[path];
  if (!instance || instance.held.length === 0 || machine.state.cancelling) return;
  const index = machine.scopeOf(path);
  const held = instance.held.map((id) => machine.at(pathOf(path, id)));
  const targets = new Set(held.flatMap((gate) => (gate.plan.repair ? [gate.plan.repair.target] : [])));
  const affected = withDescendants(index, targets).map((id) => machine.at(pathOf(path, id)));
  const gates = affected.filter((node) => node.plan.gate);
  if (gates.some((gate) => gate.state.status === 'running' && !gate.state.held)) return;
  const rejecting = gates.find(
    (gate) =>
      gate.state.status === 'failed' &&
      (gate.state.failure?.code === 'gate.rejected' || gate.state.failure?.code === 'gate.exhausted'),
  );
  if (rejecting) {
    for (const gate of held) {
      machine.fail(gate, {
        code: 'gate.rejected',
        message: `Asked for a repair (${gate.state.held?.evidence ?? ''}), but '${rejecting.plan.id}' rejected.`,
        place: { node: gate.key },
      });
    }
    return;
  }
  const feedback = new Map<string, string[]>();
  for (const gate of held.sort((a, b) => (index.order.get(a.plan.id) ?? 0) - (index.order.get(b.plan.id) ?? 0))) {
    const target = gate.plan.repair?.target;
    if (target === undefined) continue;
    feedback.set(target, [...(feedback.get(target) ?? []), gate.state.held?.feedback ?? '']);
    gate.state.repairs = (gate.state.repairs ?? 0) + 1;
  }
  for (const node of affected) machine.reset(node, true);
  for (const [target, lines] of feedback) {
    const node = machine.at(pathOf(path, target));
    node.state.feedback = [...(node.state.feedback ?? []), ...lines];
  }
}
