import { AppError } from '../../shared/app-error.js';

export const noSuchConversation = (): AppError => new AppError('not_found', 'conversation not found');
export const conversationBusy = (): AppError => new AppError('conflict', 'conversation is busy');
export const chatTimedOut = (): AppError => new AppError('timed_out', 'chat timed out');
export const noSuchImage = (): AppError => new AppError('not_found', 'visualization not found');
