import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe finds serious or critical on the page as it is, one line each; by these rules alone where some are named, within the part that a selector names. */
export async function seriousFaults(page: Page, rules: readonly string[] = [], part?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (part !== undefined) axe.include(part);
  const { violations } = await (rules.length === 0 ? axe : axe.withRules([...rules])).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
