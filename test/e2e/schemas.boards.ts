import { field, kept, type RouteCall } from './schemas.world.js';

/** Boards and links to them. */
export const BOARD_CALLS: readonly RouteCall[] = [
  {
    route: 'POST secure/board',
    call: () => ({ path: '/secure/board', body: { title: 'Readings', notes: 'What the sensors say.' } }),
    then: (body, made) => void made.set('board', field(body, 'board', 'id')),
  },
  {
    route: 'POST secure/board/:id/tile',
    call: (made) => ({
      path: `/secure/board/${kept(made, 'board')}/tile`,
      body: {
        datasource_id: kept(made, 'datasource'),
        plan: {
          kind: 'aggregate',
          measures: [{ aggregate: 'avg', column: 'temperature', label: 'warmth' }],
          dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
        },
        chart: { kind: 'bar', x: 'device', y: 'warmth', title: 'Warmth' },
        title: 'Warmth',
      },
    }),
    then: (body, made) => void made.set('tile', field(body, 'tile', 'id')),
  },
  {
    route: 'POST secure/board/:id/tile/:tile/figure',
    call: (made) => ({ path: `/secure/board/${kept(made, 'board')}/tile/${kept(made, 'tile')}/figure`, body: {} }),
  },
  {
    route: 'PATCH secure/board/:id/tile/:tile',
    call: (made) => ({
      path: `/secure/board/${kept(made, 'board')}/tile/${kept(made, 'tile')}`,
      body: { title: 'How warm it is' },
    }),
  },
  {
    route: 'PATCH secure/board/:id',
    call: (made) => ({
      path: `/secure/board/${kept(made, 'board')}`,
      body: {
        title: 'Sensors',
        range: { last: 50, unit: 'year' },
        filters: [{ column: 'device', values: ['d1'] }],
        refresh_minutes: 5,
        layout: [{ id: kept(made, 'tile'), x: 0, y: 0, w: 12, h: 6 }],
      },
    }),
  },
  { route: 'GET secure/board/:id', call: (made) => ({ path: `/secure/board/${kept(made, 'board')}` }) },
  { route: 'GET secure/board/list', call: () => ({ path: '/secure/board/list' }) },
  {
    route: 'POST secure/share',
    call: (made) => ({ path: '/secure/share', body: { board_id: kept(made, 'board'), days: 7 } }),
    then: (body, made) => void made.set('link', field(body, 'link', 'id')).set('link token', field(body, 'token')),
  },
  { route: 'GET secure/share/list', call: () => ({ path: '/secure/share/list' }) },
  {
    route: 'POST shared/look',
    call: (made) => ({ path: '/shared/look', body: { token: kept(made, 'link token') } }),
  },
  {
    route: 'POST shared/figure',
    call: (made) => ({
      path: '/shared/figure',
      body: { token: kept(made, 'link token'), tile_id: kept(made, 'tile') },
    }),
  },
  { route: 'DELETE secure/share/:id', call: (made) => ({ path: `/secure/share/${kept(made, 'link')}` }) },
  {
    route: 'DELETE secure/board/:id/tile/:tile',
    call: (made) => ({ path: `/secure/board/${kept(made, 'board')}/tile/${kept(made, 'tile')}` }),
  },
  { route: 'DELETE secure/board/:id', call: (made) => ({ path: `/secure/board/${kept(made, 'board')}` }) },
];
