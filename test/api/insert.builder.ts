import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource, look } from './world.builder.js';

export type Row = Record<string, unknown>;

const CSV = `device,at,value,count,on,seen,note
d2,2024-01-01 00:00:00,1.5,1,true,2024-01-01,first
d1,2024-01-01 01:00:00,2.5,2,false,2024-01-02,second
d1,2024-01-01 02:00:00,NA,,,,
`;

/** Fits the datasource of three rows. */
export const ROW: Row = { device: 'd1', at: '2024-01-02 00:00:00', value: '7.25', count: '3' };

/** Somebody who inserts rows and looks at what came of them. */
export class Inserter {
  constructor(
    private readonly api: TestApi,
    private readonly client: TestClient,
  ) {}

  /** A datasource of three rows, or of those given. */
  datasource(csv = CSV, config: object = {}): Promise<string> {
    return importedDatasource(this.api, this.client, csv, config);
  }

  insert(id: string, data: unknown, key?: string): Promise<TestResponse> {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return this.client.patch('/secure/datasource/insert', { datasource_id: id, data }, headers);
  }

  look(id: string): Promise<Record<string, unknown>> {
    return look(this.client, id);
  }

  async assets(id: string): Promise<readonly string[]> {
    return ((await this.look(id))['config'] as { assets: string[] }).assets;
  }

  async plot(id: string, value = 'value', asset = ''): Promise<readonly { timestamp: string; value: number }[]> {
    const query = { datasource_id: id, asset, from: '', to: '', value };
    return (await this.client.post('/secure/data/plot', query)).body['data'] as { timestamp: string; value: number }[];
  }
}
