import { Module } from '@nestjs/common';
import { AnnotationsController } from './annotations/annotations.controller.js';
import { AnnotationRepository, AnnotationsService } from './annotations/annotations.service.js';
import { AppendService } from './append/append.service.js';
import { DatasourceCompactor, LifespanSweeper } from './compaction/datasource-compactor.js';
import { InsertLedger, InsertReconciler } from './data/insert-ledger.js';
import { InsertService } from './data/insert.service.js';
import { ProfileBuilder } from './data/profile-builder.js';
import { QueryService } from './data/query.service.js';
import {
  DownloadsController,
  InsertController,
  MetadataController,
  PlotController,
  QueryController,
  SummaryController,
} from './data/rows.controller.js';
import { RowsService, SummaryService } from './data/rows.service.js';
import { AppendController, DatasourceController } from './datasource.controller.js';
import { DatasourceFacade } from './datasource.facade.js';
import { DatasourceReading } from './datasource-reading.facade.js';
import { DatasourceRepository } from './datasource.repository.js';
import { BinModule } from '../bin/bin.module.js';
import { DatasourceService } from './datasource.service.js';
import { DatasourceWork } from './datasource-work.js';
import { DownloadsService } from './downloads/downloads.service.js';
import { DatasourceImporter } from './import/datasource-importer.js';
import { DatasourceRemover } from './import/datasource-remover.js';
import { ImportLease, ImportReconciler } from './import/import-lease.js';
import { JoinableTables, KeptQueries } from './joinable-tables.facade.js';
import { DatasourceFetcher } from './places/datasource-fetcher.js';
import { FetchScheduler, PlaceResealer } from './places/fetch.scheduler.js';
import { PlaceController } from './places/place.controller.js';
import { PlaceFetcher } from './places/place-fetcher.js';
import { PlaceService } from './places/place.service.js';
import { RelationsController } from './relations/relations.controller.js';
import { RelationsRepository } from './relations/relations.repository.js';
import { RelationsService } from './relations/relations.service.js';
import { SampleController, SampleService } from './sample.controller.js';
import { SemanticsController } from './semantics/semantics.controller.js';
import { SemanticsRepository } from './semantics/semantics.repository.js';
import { SemanticsService } from './semantics/semantics.service.js';
import { StorageQuota } from './upload/storage-quota.js';
import { TimeFormatController, UploadController } from './upload/upload.controller.js';
import { UploadRepository } from './upload/upload.repository.js';
import { UploadFiles } from './upload/upload-files.js';
import { UploadService } from './upload/upload.service.js';
import { UploadSweeper } from './upload/upload.sweeper.js';

@Module({
  imports: [BinModule],
  controllers: [
    AnnotationsController,
    UploadController,
    AppendController,
    DatasourceController,
    DownloadsController,
    InsertController,
    MetadataController,
    PlaceController,
    PlotController,
    QueryController,
    RelationsController,
    SampleController,
    SemanticsController,
    SummaryController,
    TimeFormatController,
  ],
  providers: [
    AnnotationRepository,
    AnnotationsService,
    AppendService,
    DatasourceCompactor,
    DatasourceFacade,
    DatasourceImporter,
    DatasourceFetcher,
    DatasourceReading,
    DatasourceRemover,
    DatasourceRepository,
    DatasourceService,
    DatasourceWork,
    DownloadsService,
    FetchScheduler,
    ImportLease,
    ImportReconciler,
    InsertLedger,
    InsertReconciler,
    InsertService,
    JoinableTables,
    KeptQueries,
    LifespanSweeper,
    PlaceFetcher,
    PlaceResealer,
    PlaceService,
    ProfileBuilder,
    QueryService,
    RelationsRepository,
    RelationsService,
    RowsService,
    SampleService,
    SemanticsRepository,
    SemanticsService,
    StorageQuota,
    SummaryService,
    UploadFiles,
    UploadRepository,
    UploadService,
    UploadSweeper,
  ],
  exports: [DatasourceFacade, DatasourceReading, JoinableTables, KeptQueries, UploadService],
})
export class DatasourceModule {}
