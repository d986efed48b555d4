import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { AssistantModule } from '../assistant/assistant.module.js';
import { ContextFilesModule } from '../context-files/context-files.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { McpController } from './mcp.controller.js';
import { McpDoors } from './mcp-doors.js';

/** The door for assistants of others: tools and resources of the Model Context Protocol. */
@Module({
  imports: [AnsweringModule, AssistantModule, ContextFilesModule, DatasourceModule],
  controllers: [McpController],
  providers: [McpDoors],
})
export class McpModule {}
