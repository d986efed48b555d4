import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from './config/app-config.js';
import { readEnvironment } from './config/environment.js';
import { CoreModule } from './core.module.js';
import { AdminCommandModule } from './features/admin/admin-command.module.js';
import type { WithAdmin } from './features/admin/admin.commands.js';
import { AdminService } from './features/admin/admin.service.js';
import { EvaluationCommand } from './features/admin/evaluation-command.js';
import { createLogger } from './http/logging.js';

/** Opens what the variables name for one command, and closes it again. */
export function adminOf(variables: Readonly<Record<string, string | undefined>>): WithAdmin {
  return async (act) => {
    const config = new AppConfig(readEnvironment(variables));
    // The output belongs to the command: what it has to say it says itself.
    const core = CoreModule.forRoot({ config, logger: createLogger('silent') });
    // Only the documents: the rows stay with the service, which may be running.
    const module: DynamicModule = { module: AdminCommandModule, imports: [core] };
    const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      return await act(context.get(AdminService), context.get(EvaluationCommand), async () => {
        // No other command needs a model.
        const { checkModels } = await import('./adapters/openai/model-check.js');
        return checkModels(config);
      });
    } finally {
      await context.close();
    }
  };
}
