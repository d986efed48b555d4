import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { importedDatasource } from './world.builder.js';

const CUSTOMERS = `id,city,segment,since
1,Hamburg,retail,2020-01-01
2,Munich,retail,2020-01-02
3,Hamburg,trade,2020-01-03
4,Berlin,trade,2020-01-04`;
const ORDERS = `customer_id,channel,revenue,day
1,online,10.5,2024-01-01
1,shop,20.5,2024-01-02
2,online,5,2024-01-03
3,shop,7,2024-01-04
9,shop,1,2024-01-05`;

/** The revenue of orders by the cities of customers, where both are joined. */
export const CITIES = [
  ['Hamburg', 38],
  ['Munich', 5],
];
export const BY_CITY =
  'SELECT city, sum(revenue) AS total FROM data JOIN customers ON customer_id = id GROUP BY city ORDER BY city';

/** Orders of customers, of whom one has none; one order is of nobody. */
export function madeOrders(api: TestApi, by: TestClient): Promise<string> {
  return named(api, by, 'Orders', ORDERS, { timefield: 'day', metafield: 'channel', values: ['revenue'] });
}

export function madeCustomers(api: TestApi, by: TestClient, name = 'Customers'): Promise<string> {
  return named(api, by, name, CUSTOMERS, { timefield: 'since', metafield: 'city', values: ['id'] });
}

async function named(api: TestApi, by: TestClient, name: string, rows: string, config: object): Promise<string> {
  const id = await importedDatasource(api, by, rows, config);
  await by.patch('/secure/datasource', { id, name });
  return id;
}
