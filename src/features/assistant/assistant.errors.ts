import { AppError } from '../../shared/app-error.js';

export const conversationBusy = (): AppError => new AppError('conflict', 'conversation is busy');
export const chatTimedOut = (): AppError => new AppError('timed_out', 'chat timed out');
export const STOPPED = 'the answer was stopped';
export const answerStopped = (): AppError => new AppError('conflict', STOPPED);
export const noSuchAnswer = (): AppError => new AppError('not_found', 'answer not found');
export const noSuchImage = (): AppError => new AppError('not_found', 'visualization not found');
