import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { CoreModule, type AppOptions } from './core.module.js';
import { EnginesModule } from './engines.module.js';
import { AdminModule } from './features/admin/admin.module.js';
import { AssistantFacade } from './features/assistant/assistant.facade.js';
import { AssistantModule } from './features/assistant/assistant.module.js';
import { AgentFacade } from './features/agent/agent.facade.js';
import { AgentModule } from './features/agent/agent.module.js';
import { AlertsModule } from './features/alerts/alerts.module.js';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { AuthModule } from './features/auth/auth.module.js';
import { BinModule } from './features/bin/bin.module.js';
import { BoardsModule } from './features/boards/boards.module.js';
import { CapabilitiesModule } from './features/capabilities/capabilities.module.js';
import { CompanyModule } from './features/company/company.module.js';
import { ContextFilesModule } from './features/context-files/context-files.module.js';
import { DatasourceFacade } from './features/datasource/datasource.facade.js';
import { DatasourceModule } from './features/datasource/datasource.module.js';
import { HealthModule } from './features/health/health.module.js';
import { McpModule } from './features/mcp/mcp.module.js';
import { MetricsModule } from './features/metrics/metrics.module.js';
import { SettingsModule } from './features/settings/settings.module.js';
import { StreamModule } from './features/stream/stream.module.js';
import { VerifiedModule } from './features/verified/verified.module.js';
import { AuditModule } from './features/audit/audit.module.js';
import { MembersModule } from './features/members/members.module.js';
import { UsersModule } from './features/users/users.module.js';
import { HttpModule } from './http/http.module.js';
import { ResourceLookup, type ResourceKind } from './ports/resource-lookup.js';
import { QueueModule } from './queue/queue.module.js';
import { asId } from './shared/ids.js';
import type { Principal } from './shared/principal.js';

/** Asks each feature in turn what an id names to somebody. */
@Injectable()
class FeatureResources extends ResourceLookup {
  constructor(
    private readonly assistant: AssistantFacade,
    private readonly datasources: DatasourceFacade,
    private readonly tasks: AgentFacade,
  ) {
    super();
  }

  override async kindOf(by: Principal, id: string): Promise<ResourceKind | null> {
    if (await this.assistant.isOwn(by, asId(id))) return 'conversation';
    if ((await this.datasources.find(by.companyId, asId(id))) !== null) return 'datasource';
    return (await this.tasks.exists(by.companyId, asId(id))) ? 'task' : null;
  }
}

@Module({
  imports: [AgentModule, AssistantModule, DatasourceModule],
  providers: [{ provide: ResourceLookup, useClass: FeatureResources }],
  exports: [ResourceLookup],
})
class ThingsModule {}

/** The whole house: the ports bound to their adapters, and every feature. */
@Module({})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(options),
        EnginesModule.forRoot(options.config),
        // What is done from time to time is the workers'.
        ScheduleModule.forRoot({ intervals: options.config.instance.worker }),
        HttpModule,
        QueueModule.forRoot(options.config.instance),
        { module: ThingsModule, global: true },
        AdminModule,
        ApiKeysModule,
        AuthModule,
        UsersModule,
        MembersModule,
        AuditModule,
        BinModule,
        CompanyModule,
        SettingsModule,
        DatasourceModule,
        ContextFilesModule,
        VerifiedModule,
        AssistantModule,
        BoardsModule,
        AgentModule,
        AlertsModule,
        CapabilitiesModule,
        McpModule,
        StreamModule,
        HealthModule,
        MetricsModule,
      ],
    };
  }
}
