export { DeliveryCourier } from './delivery-courier.js';
export { DeliveryLedger } from './delivery-ledger.js';
export type { Delivery } from './delivery.schema.js';
export { Outbox } from './outbox.js';
