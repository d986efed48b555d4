import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RoomDirectory } from './room.js';
import { UpgradeAuthenticator } from './upgrade-authenticator.js';
import { StreamHub } from './stream-hub.js';
import { StreamUpkeep } from './stream-upkeep.js';
import { StreamGateway } from './stream.gateway.js';

/** Tells clients over WebSockets what happens. The application calls `useStream` before it listens. */
@Module({
  imports: [AuthModule],
  providers: [RoomDirectory, UpgradeAuthenticator, StreamHub, StreamUpkeep, StreamGateway],
})
export class StreamModule {}
