import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { BinModule } from '../bin/bin.module.js';
import { ContextFilesModule } from '../context-files/context-files.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AgentFacade } from './agent.facade.js';
import { TaskDeletion, TaskReader, TaskService } from './tasks/task.service.js';
import { AssignmentBuilder, RunReconciler, RunWorker } from './run/run-worker.js';
import { RunAnnouncer, RunClosing } from './run/run-closing.js';
import { RunRecords, RunRemover } from './run/run-records.js';
import { RunLedger } from './run/run-ledger.js';
import { RunRepository } from './run/run.repository.js';
import { RunService, RunStarter } from './run/run.service.js';
import { ConditionCheck } from './schedule/condition-check.js';
import { Scheduler } from './schedule/scheduler.js';
import { TaskController } from './tasks/task.controller.js';
import { TaskRepository } from './tasks/task.repository.js';

/** Tasks that a company's users define (tasks/), their runs (run/), and when these begin by themselves (schedule/). */
@Module({
  imports: [
    AnsweringModule,
    BinModule,
    ContextFilesModule,
    DatasourceModule,
    DeliveriesModule,
    ModelsModule,
    SettingsModule,
  ],
  controllers: [TaskController],
  providers: [
    AgentFacade,
    AssignmentBuilder,
    ConditionCheck,
    RunAnnouncer,
    RunClosing,
    RunLedger,
    RunReconciler,
    RunRecords,
    RunRemover,
    RunRepository,
    RunService,
    RunStarter,
    RunWorker,
    Scheduler,
    TaskDeletion,
    TaskReader,
    TaskRepository,
    TaskService,
  ],
  exports: [AgentFacade],
})
export class AgentModule {}
