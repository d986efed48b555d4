import { Module } from '@nestjs/common';
import { PlotController } from './data/plot.controller.js';
import { PlotService } from './data/plot.service.js';
import { DatasourceController } from './datasource.controller.js';
import { DatasourceFacade } from './datasource.facade.js';
import { DatasourceRepository } from './datasource.repository.js';
import { DatasourceService } from './datasource.service.js';
import { DatasourceWork } from './datasource-work.js';
import { DatasourceImportProcessor } from './import/datasource-import.processor.js';
import { DatasourceImporter } from './import/datasource-importer.js';
import { DatasourceRemoveProcessor } from './import/datasource-remove.processor.js';
import { DatasourceRemover } from './import/datasource-remover.js';
import { ImportLease } from './import/import-lease.js';
import { ImportReconciler } from './import/import.reconciler.js';
import { TimeFormatController } from './time-format/time-format.controller.js';
import { TimeFormatService } from './time-format/time-format.service.js';
import { OrphanedUploads } from './upload/orphaned-uploads.js';
import { UploadController } from './upload/upload.controller.js';
import { UploadRepository } from './upload/upload.repository.js';
import { UploadFiles } from './upload/upload-files.js';
import { UploadService } from './upload/upload.service.js';
import { UploadSweeper } from './upload/upload.sweeper.js';

@Module({
  controllers: [UploadController, DatasourceController, PlotController, TimeFormatController],
  providers: [
    DatasourceFacade,
    DatasourceImportProcessor,
    DatasourceImporter,
    DatasourceRemoveProcessor,
    DatasourceRemover,
    DatasourceRepository,
    DatasourceService,
    DatasourceWork,
    ImportLease,
    ImportReconciler,
    OrphanedUploads,
    PlotService,
    TimeFormatService,
    UploadFiles,
    UploadRepository,
    UploadService,
    UploadSweeper,
  ],
  exports: [DatasourceFacade],
})
export class DatasourceModule {}
