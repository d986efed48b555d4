import type { RouteCall } from './schemas.world.js';

/** Boards and links to them. */
export const BOARD_CALLS: readonly RouteCall[] = [
  {
    route: 'POST secure/board',
    body: { title: 'Readings', notes: 'What the sensors say.' },
    keeps: { board: ['board', 'id'] },
  },
  {
    route: 'POST secure/board/:id/tile',
    path: '/secure/board/<board>/tile',
    body: {
      datasource_id: '<datasource>',
      plan: {
        kind: 'aggregate',
        measures: [{ aggregate: 'avg', column: 'temperature', label: 'warmth' }],
        dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
      },
      chart: { kind: 'bar', x: 'device', y: 'warmth', title: 'Warmth' },
      title: 'Warmth',
    },
    keeps: { tile: ['tile', 'id'] },
  },
  { route: 'POST secure/board/:id/tile/:tile/figure', path: '/secure/board/<board>/tile/<tile>/figure', body: {} },
  {
    route: 'PATCH secure/board/:id/tile/:tile',
    path: '/secure/board/<board>/tile/<tile>',
    body: { title: 'How warm it is' },
  },
  {
    route: 'PATCH secure/board/:id',
    path: '/secure/board/<board>',
    body: {
      title: 'Sensors',
      range: { last: 50, unit: 'year' },
      filters: [{ column: 'device', values: ['d1'] }],
      refresh_minutes: 5,
      layout: [{ id: '<tile>', x: 0, y: 0, w: 12, h: 6 }],
    },
  },
  { route: 'GET secure/board/:id', path: '/secure/board/<board>' },
  { route: 'GET secure/board/list' },
  {
    route: 'POST secure/share',
    body: { board_id: '<board>', days: 7 },
    keeps: { link: ['link', 'id'], 'link token': ['token'] },
  },
  { route: 'GET secure/share/list' },
  { route: 'POST shared/look', body: { token: '<link token>' } },
  { route: 'POST shared/figure', body: { token: '<link token>', tile_id: '<tile>' } },
  { route: 'DELETE secure/share/:id', path: '/secure/share/<link>' },
  { route: 'DELETE secure/board/:id/tile/:tile', path: '/secure/board/<board>/tile/<tile>' },
  { route: 'DELETE secure/board/:id', path: '/secure/board/<board>' },
];
