import '../../adapters/processes/private-files.js';
import { serveOrders } from '../../adapters/processes/serving-process.js';
import type { MessageToRead } from '../reading-process.js';
import { understandAll } from '../understand.js';

serveOrders(({ message, table, history, now }: MessageToRead) => understandAll(message, table, history, now));
