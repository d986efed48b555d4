import '../../adapters/processes/private-files.js';
import { serveOrders } from '../../adapters/processes/serving-process.js';
import type { ReadingOrder } from '../reading-process.js';
import { suggestQuestions } from '../suggestions.js';
import { provenBy, understandAll } from '../understand.js';

serveOrders((order: ReadingOrder) => {
  if (order.kind === 'suggest') return suggestQuestions(order.profile, order.wanted, provenBy(order.profile));
  const { message, table, history, now } = order.message;
  return understandAll(message, table, history, now);
});
