import { type GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';
import type { Browser, Page } from 'playwright-core';
import { circle, presentedRate } from './presented-frames.ts';

const SECONDS = 2;

interface Spot {
  x: number;
  y: number;
}

/** Where a point of the canvas, in its units, is on the screen. */
async function onScreen(page: Page, at: Spot): Promise<Spot> {
  return page.locator('.react-flow').evaluate((flow, point) => {
    const view = flow.querySelector('.react-flow__viewport');
    const matrix = new DOMMatrix(view === null ? '' : getComputedStyle(view).transform);
    const { left, top } = flow.getBoundingClientRect();
    return { x: left + point.x * matrix.a + matrix.e, y: top + point.y * matrix.d + matrix.f };
  }, at);
}

/** A place where nothing lies, some way from the edge: a press there pans. */
async function emptySpot(page: Page): Promise<Spot> {
  return page.locator('.react-flow').evaluate((flow) => {
    const { left, top, width, height } = flow.getBoundingClientRect();
    for (let y = top + 8; y < top + height - 8; y += 7)
      for (let x = left + width * 0.2; x < left + width * 0.8; x += 7) {
        const around = [0, 6, -6].flatMap((dx) => [0, 6, -6].map((dy) => document.elementFromPoint(x + dx, y + dy)));
        if (around.every((element) => element?.classList.contains('react-flow__pane') === true)) return { x, y };
      }
    throw new Error('The canvas has no empty place.');
  });
}

/** A node whose head is well within sight. */
async function nodeInSight(page: Page, graph: GraphDocument): Promise<Spot> {
  const box = await page.locator('.react-flow').boundingBox();
  if (box === null) throw new Error('There is no canvas.');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  let best: { spot: Spot; away: number } | undefined;
  const origin = await onScreen(page, { x: 0, y: 0 });
  const unit = (await onScreen(page, { x: 1000, y: 0 })).x - origin.x;
  for (const place of Object.values(graph.layout[MAIN_GRAPH] ?? {})) {
    const spot = { x: origin.x + ((place.x + 60) * unit) / 1000, y: origin.y + ((place.y + 20) * unit) / 1000 };
    const away = Math.hypot(spot.x - middle.x, spot.y - middle.y);
    if (best === undefined || away < best.away) best = { spot, away };
  }
  if (best === undefined) throw new Error('The document has no node with a place.');
  return best.spot;
}

/** Frames a second while the whole is panned. */
export async function panned(browser: Browser, page: Page): Promise<number> {
  const at = await emptySpot(page);
  return gesture(browser, page, at, 110);
}

/** Frames a second while one node is dragged. */
export async function dragged(browser: Browser, page: Page, graph: GraphDocument): Promise<number> {
  const at = await nodeInSight(page, graph);
  return gesture(browser, page, at, 90);
}

async function gesture(browser: Browser, page: Page, at: Spot, radius: number): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  try {
    return await presentedRate(browser, page, () => circle(cdp, at, SECONDS, radius));
  } finally {
    await cdp.detach();
  }
}
