import { AppError } from '../../shared/app-error.js';

export const noSuchTask = (): AppError => new AppError('not_found', 'agent task not found');
export const noSuchRun = (): AppError => new AppError('not_found', 'agent task run not found');
export const taskIsRunning = (): AppError => new AppError('conflict', 'agent task is already running');
export const taskIsNotRunning = (): AppError => new AppError('conflict', 'agent task is not running');
export const taskRunsTooShortly = (): AppError =>
  new AppError(
    'conflict',
    'agent task is running: stop it first, or delete it when its run began more than 10 minutes ago',
  );
