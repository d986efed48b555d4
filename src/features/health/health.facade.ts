export { HealthService as HealthFacade } from './health.service.js';
