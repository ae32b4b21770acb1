import type { Browser, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';

const Trace = z.object({
  traceEvents: z.array(
    z.object({ name: z.string(), pid: z.number(), args: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
const Reporter = z.object({ frame_reporter: z.object({ state: z.string(), frame_sequence: z.number() }) });

/**
 * Frames a second that reached the screen with all that the page had drawn for them, while `act` went on (it gives the seconds
 * it took): the compositor's own reports, so that frames which the page missed do not count.
 */
export async function presentedRate(browser: Browser, page: Page, act: () => Promise<number>): Promise<number> {
  await browser.startTracing(page, { categories: ['cc', 'benchmark'] });
  const seconds = await act();
  const trace = Trace.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const frames = new Map<number, Set<number>>();
  for (const { name, pid, args } of trace.traceEvents) {
    if (name !== 'PipelineReporter') continue;
    const report = Reporter.safeParse(args);
    if (!report.success || report.data.frame_reporter.state !== 'STATE_PRESENTED_ALL') continue;
    const known = frames.get(pid) ?? new Set();
    frames.set(pid, known.add(report.data.frame_reporter.frame_sequence));
  }
  // The browser's own process may draw frames as well; the page is who draws most.
  return Math.max(0, ...[...frames.values()].map(({ size }) => size)) / seconds;
}

const INPUT_MS = 8;

/** Presses at a point and moves in circles around it, faster than frames come. Seconds that it moved for. */
export async function circle(
  cdp: CDPSession,
  at: { x: number; y: number },
  seconds: number,
  radius: number,
): Promise<number> {
  const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number) =>
    cdp.send('Input.dispatchMouseEvent', {
      type,
      x: Math.round(x),
      y: Math.round(y),
      button: 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: type === 'mouseMoved' ? 0 : 1,
    });
  await send('mousePressed', at.x, at.y);
  const start = performance.now();
  const sent: Promise<unknown>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const passed = (performance.now() - start) / 1000;
      const angle = passed * Math.PI * 1.5;
      sent.push(send('mouseMoved', at.x + radius * (Math.cos(angle) - 1), at.y + radius * Math.sin(angle)));
      if (passed < seconds) return;
      clearInterval(timer);
      resolve();
    }, INPUT_MS);
  });
  const moved = (performance.now() - start) / 1000;
  await Promise.all(sent);
  await send('mouseReleased', at.x, at.y);
  return moved;
}
