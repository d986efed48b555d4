import '../processes/private-files.js';
import type { TopLevelSpec } from 'vega-lite';
import { messageOf } from '../../shared/app-error.js';
import type { DrawingReply } from './chart-process.js';
import { drawPng } from './vega-drawing.js';

/** Draws one specification after another; ends with whoever started it. */
process.on('message', (specification: TopLevelSpec) => {
  void reply(specification);
});
process.on('disconnect', () => {
  process.exit(0);
});

async function reply(specification: TopLevelSpec): Promise<void> {
  process.send?.(await draw(specification));
}

async function draw(specification: TopLevelSpec): Promise<DrawingReply> {
  try {
    return { kind: 'drawn', png: await drawPng(specification) };
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}
