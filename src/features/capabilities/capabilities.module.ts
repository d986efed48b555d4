import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { CapabilitiesController } from './capabilities.controller.js';

/** Tells clients what they can rely on. */
@Module({ imports: [ModelsModule], controllers: [CapabilitiesController] })
export class CapabilitiesModule {}
