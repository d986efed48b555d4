import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from './config/app-config.js';
import { readEnvironment } from './config/environment.js';
import { processVariables } from './config/process-variables.js';
import { CoreModule, type Surroundings } from './core.module.js';
import { AdminCommandModule } from './features/admin/admin-command.module.js';
import { runAdmin, type WithAdmin } from './features/admin/admin.commands.js';
import { AdminService } from './features/admin/admin.service.js';
import { createLogger } from './http/logging.js';

/** Only the documents: the rows stay with the service, which may be running. */
@Module({})
class CommandModule {
  static forRoot(surroundings: Surroundings): DynamicModule {
    return { module: CommandModule, imports: [CoreModule.forRoot(surroundings), AdminCommandModule] };
  }
}

const withAdmin: WithAdmin = async (act) => {
  const config = new AppConfig(readEnvironment(processVariables()));
  // The output belongs to the command: what it has to say it says itself.
  const surroundings = { config, logger: createLogger('silent') };
  const context = await NestFactory.createApplicationContext(CommandModule.forRoot(surroundings), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await act(context.get(AdminService));
  } finally {
    await context.close();
  }
};

process.exitCode = await runAdmin(process.argv.slice(2), withAdmin, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
