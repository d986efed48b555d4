import '../processes/private-files.js';
import type { TopLevelSpec } from 'vega-lite';
import type { JsonObject } from '../../shared/json.js';
import { serveOrders } from '../processes/serving-process.js';
import { drawPng } from './vega-drawing.js';

serveOrders((specification: JsonObject) => drawPng(specification as unknown as TopLevelSpec));
