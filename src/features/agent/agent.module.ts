import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { BinModule } from '../bin/bin.module.js';
import { ContextFilesModule } from '../context-files/context-files.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AgentFacade } from './agent.facade.js';
import { TaskReader } from './tasks/task-reader.js';
import { AssignmentBuilder, RunKeeper, RunLimits, RunWorker } from './run/run-worker.js';
import { RunAnnouncer } from './run/run-announcer.js';
import { RunClosing } from './run/run-closing.js';
import { RunMail } from './run/run-mail.js';
import { RunRemover } from './run/run-remover.js';
import { RunLedger } from './run/run-ledger.js';
import { RunReconciler } from './run/run.reconciler.js';
import { RunRecords } from './run/run-records.js';
import { RunRepository } from './run/run.repository.js';
import { RunService } from './run/run.service.js';
import { RunStarter } from './run/run-starter.js';
import { ConditionCheck } from './schedule/condition-check.js';
import { ScheduleReconciler } from './schedule/schedule.reconciler.js';
import { ScheduleService } from './schedule/schedule.service.js';
import { Scheduler } from './schedule/scheduler.js';
import { TaskController } from './tasks/task.controller.js';
import { TaskDeletion, TaskRemover } from './tasks/task-deletion.js';
import { TaskRepository } from './tasks/task.repository.js';
import { TaskService } from './tasks/task.service.js';

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
    RunKeeper,
    RunLedger,
    RunLimits,
    RunMail,
    RunReconciler,
    RunRecords,
    RunRemover,
    RunRepository,
    RunService,
    RunStarter,
    RunWorker,
    ScheduleReconciler,
    ScheduleService,
    Scheduler,
    TaskDeletion,
    TaskReader,
    TaskRemover,
    TaskRepository,
    TaskService,
  ],
  exports: [AgentFacade],
})
export class AgentModule {}
