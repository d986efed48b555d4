import '../processes/private-files.js';
import type { TopLevelSpec } from 'vega-lite';
import { messageOf } from '../../shared/app-error.js';
import type { DrawingOrder, DrawingReply } from './vega-chart-renderer.js';
import { drawPng } from './vega-drawing.js';

/** Draws what it is sent; ends with whoever started it. */
process.on('message', ({ id, specification }: DrawingOrder) => {
  void draw(id, specification as unknown as TopLevelSpec).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => {
  process.exit(0);
});

async function draw(id: number, specification: TopLevelSpec): Promise<DrawingReply> {
  try {
    return { id, kind: 'drawn', png: await drawPng(specification) };
  } catch (error) {
    return { id, kind: 'failed', reason: messageOf(error) };
  }
}
