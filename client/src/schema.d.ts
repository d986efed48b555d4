/* Made from the API document of the service by "npm run client:generate". Not to be edited. */

export interface paths {
    "/api/v1/forgotten-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a link for a new password to whoever has an account.
         * @description It works once, for an hour. Nobody is told whether there is an account.
         */
        post: operations["ForgottenPasswordController_ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Joins the company with a password of one's own, or sets a new one.
         * @description Sign in with `POST login` afterwards.
         */
        post: operations["InvitationController_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitation/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a link is for.
         * @description It is not used up by this.
         */
        post: operations["InvitationController_look"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session.
         * @description It lasts 7 days; its token lasts 15 minutes and is renewed with `refresh-token`.
         */
        post: operations["AuthController_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a new token for one that has expired or is about to.
         * @description Both the header and the body carry it.
         */
        post: operations["AuthController_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a task that can be run at any time.
         * @description With `automation_enabled` it also runs by itself.
         */
        post: operations["TaskController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A task with the steps and the answer of its last run.
         * @description While one runs, `status` is `running`.
         */
        get: operations["TaskController_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/{task_id}/notebook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A task's last run as a Jupyter notebook: its steps with their queries and charts, its answer and its figures.
         * @description With `run_id`, another run.
         */
        get: operations["TaskController_notebook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/delete/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a task with its history and images.
         * @description For its creator and managers, who can restore it for 30 days unless `permanent` is sent; a task that runs only when its run began more than ten minutes ago.
         */
        delete: operations["TaskController_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/run/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begins a run of a task.
         * @description Its steps arrive over the WebSocket, and its answer becomes the task's.
         */
        get: operations["TaskController_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets how often a task runs by itself, or pauses that.
         * @description The interval is in minutes.
         */
        post: operations["TaskController_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/task/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the run in progress.
         * @description The steps it has done are kept.
         */
        post: operations["TaskController_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/taskhistory/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A task's runs, newest first.
         * @description Each has its steps and its answer.
         */
        get: operations["TaskController_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/agent/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's tasks, newest first.
         * @description `total` counts those on all pages.
         */
        get: operations["TaskController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's alerts, newest first.
         * @description `total` counts those on all pages.
         */
        get: operations["AlertController_list"];
        put?: never;
        /**
         * Makes an alert on one figure.
         * @description The figure is read once before it is kept.
         */
        post: operations["AlertController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An alert with its state.
         * @description The figure is the one of its last check.
         */
        get: operations["AlertController_get"];
        put?: never;
        post?: never;
        /**
         * Deletes an alert with its history.
         * @description For whoever made it and managers.
         */
        delete: operations["AlertController_remove"];
        options?: never;
        head?: never;
        /**
         * Changes an alert.
         * @description With another condition it begins anew, and may fire at its next check.
         */
        patch: operations["AlertController_change"];
        trace?: never;
    };
    "/api/v1/secure/alerts/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks an alert now.
         * @description Its schedule stays as it is; it fires when its condition has become true.
         */
        post: operations["AlertController_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/alerts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When an alert fired and when that was over, newest first.
         * @description It also tells since when it could not be checked.
         */
        get: operations["AlertController_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's own keys; for managers all of their company.
         * @description Newest first, and never with their secrets.
         */
        get: operations["ApiKeysController_list"];
        put?: never;
        /**
         * Makes a key for programs.
         * @description It acts as the caller, or, for managers, as a service account; the answer alone shows it.
         */
        post: operations["ApiKeysController_make"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a key at once, for its owner and for managers.
         * @description Its sockets are closed.
         */
        delete: operations["ApiKeysController_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers a question, or a plan without words.
         * @description This takes up to two minutes.
         */
        post: operations["ChatController_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/chatstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts a question, or a plan without words.
         * @description Its answer arrives over the WebSocket.
         */
        post: operations["ChatController_chatStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes the fields that are sent.
         * @description Its place among the pinned, or among the others, stays.
         */
        put: operations["ConversationController_edit"];
        /**
         * Opens a conversation about a datasource.
         * @description With `context_only`, its answers come from the context files alone.
         */
        post: operations["ConversationController_create"];
        /**
         * Deletes a conversation with its messages and images.
         * @description It can be restored for 30 days unless `permanent` is sent.
         */
        delete: operations["ConversationController_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/conversation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of the caller's own conversations.
         * @description `status` is `loading` while an answer is made.
         */
        get: operations["ConversationController_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's own conversations, pinned first, then newest.
         * @description `total` counts those on all pages.
         */
        get: operations["ConversationController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was said of the answers of a conversation.
         * @description It is the caller's own.
         */
        get: operations["FeedbackController_given"];
        put?: never;
        /**
         * Says whether an answer was good, or what would be right.
         * @description Managers see question, answer and opinion; without an opinion it is taken back.
         */
        post: operations["FeedbackController_rate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last 20 messages of a conversation, or the 20 before a message, oldest first.
         * @description `has_more` is true when 20 are given.
         */
        get: operations["HistoryController_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/history/notebook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An answer with its question, query, figures and chart as a Jupyter notebook.
         * @description Without `message_id`, the conversation's last 50 answers.
         */
        get: operations["HistoryController_notebook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the running answer of a conversation and keeps what was written so far.
         * @description Nothing happens when none is running.
         */
        post: operations["ChatController_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/suggestionsquery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Questions that can be answered on the conversation's datasource.
         * @description They are a JSON array in a string.
         */
        get: operations["SuggestionsController_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/suggestionsquery/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Thinks of other questions.
         * @description A `suggestions-updated` frame tells when they are there.
         */
        get: operations["SuggestionsController_reload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/visualizations/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A chart of one of the company's answers, as PNG.
         * @description Answers name it in `visualization`.
         */
        get: operations["VisualizationController_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/assistant/visualizations/{filename}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same chart as a Vega-Lite specification with its data.
         * @description A chart of which only the picture was kept has none.
         */
        get: operations["VisualizationController_chart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What people and programs of the company did in the last year.
         * @description Changes, questions and sign-ins, newest first.
         */
        get: operations["AuditController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/audit/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log as CSV, in the order in which things happened.
         * @description All that fits the filter, however much it is.
         */
        get: operations["AuditController_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was deleted in the last 30 days and can be restored by the caller.
         * @description The last deleted comes first.
         */
        get: operations["BinController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/bin/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes something from the bin for good.
         * @description Nothing brings it back.
         */
        delete: operations["BinController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/bin/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undoes a deletion.
         * @description All that belongs to it is there again as it was.
         */
        post: operations["BinController_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/board": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes an empty board.
         * @description Everybody of the company sees it; whoever made it and managers change it.
         */
        post: operations["BoardsController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/board/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A board with its figures as they were read last.
         * @description Those that are not current are read anew one by one.
         */
        get: operations["BoardsController_get"];
        put?: never;
        post?: never;
        /**
         * Deletes a board with its tiles.
         * @description Who may can restore it for 30 days unless `permanent` is sent; meanwhile links to it show nothing.
         */
        delete: operations["BoardsController_remove"];
        options?: never;
        head?: never;
        /**
         * Changes what is given: words, view, refreshing, mails at times of the week, and where tiles lie.
         * @description What is left out stays.
         */
        patch: operations["BoardsController_change"];
        trace?: never;
    };
    "/api/v1/secure/board/{id}/tile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Puts a note, an answer of one's own or a plan on a board.
         * @description It lies where there is room first.
         */
        post: operations["BoardsController_pin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/board/{id}/tile/{tile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Takes a tile from a board.
         * @description The answer that it came from stays.
         */
        delete: operations["BoardsController_removeTile"];
        options?: never;
        head?: never;
        /**
         * Changes the title of a figure, or the text of a note.
         * @description What does not belong to the tile is passed over.
         */
        patch: operations["BoardsController_changeTile"];
        trace?: never;
    };
    "/api/v1/secure/board/{id}/tile/{tile}/figure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One figure with the rows as they are now, through the board's view or one of the caller's own.
         * @description Only the board's is kept.
         */
        post: operations["BoardsController_figure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/board/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The boards of the company, last changed first.
         * @description Everybody in it sees them all.
         */
        get: operations["BoardsController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the service takes and how much of it.
         * @description It also says which model answers the questions of the caller's company.
         */
        get: operations["CapabilitiesController_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/contextfiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All context files of the company, newest first.
         * @description Files whose status is `ready` are used for answers.
         */
        get: operations["ContextFileController_list"];
        /**
         * Takes up to 20 text, PDF or Word files of up to 50 MiB, all or none.
         * @description They are processed in the background.
         */
        put: operations["ContextFileController_save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/contextfiles/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a file with its passages and embeddings.
         * @description For its creator and managers, who can restore it for 30 days unless `permanent` is sent; not while it is processed.
         */
        delete: operations["ContextFileController_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/currentcompany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's company.
         * @description It is the one that the token names.
         */
        get: operations["CompanyController_current"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/currentuser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller.
         * @description What the token says is given back, and nothing is looked up.
         */
        get: operations["UsersController_current"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the caller's own name.
         * @description Tokens say it from the next refresh on.
         */
        patch: operations["AccountController_change"];
        trace?: never;
    };
    "/api/v1/secure/currentuser/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password, given the present one.
         * @description All other sessions of the caller end.
         */
        post: operations["AccountController_changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/currentuser/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the caller is signed in, newest first.
         * @description API keys are no sessions: see `GET api-keys`.
         */
        get: operations["AccountController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/currentuser/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends one of the caller's own sessions.
         * @description Its token is worth nothing at once, and its sockets are closed.
         */
        delete: operations["AccountController_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/data/plot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One column over time, of one asset or all.
         * @description When there are more rows than points, buckets keep the lowest and the highest value.
         */
        post: operations["PlotController_plot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/data/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs one read-only query on the rows as they are now, or lists them by a plan.
         * @description It gives a page of the result, and how many rows that has.
         */
        post: operations["QueryController_page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/data/query/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The whole result of such a query or list as CSV, or in another `format`.
         * @description In CSV, what a spreadsheet would run as a formula has an apostrophe before it.
         */
        post: operations["QueryController_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One datasource, with the state of its import.
         * @description While the import runs, `updating` is true.
         */
        get: operations["DatasourceController_get"];
        /**
         * Creates a datasource from an uploaded file.
         * @description The rows arrive later; `updating` tells when.
         */
        put: operations["DatasourceController_create"];
        post?: never;
        /**
         * Deletes a datasource with its rows, conversations and images.
         * @description For its creator and managers, who can restore it for 30 days unless `permanent` is sent.
         */
        delete: operations["DatasourceController_delete"];
        options?: never;
        head?: never;
        /**
         * Changes the name and the context of a datasource, whichever is sent.
         * @description This works during an import, too.
         */
        patch: operations["DatasourceController_edit"];
        trace?: never;
    };
    "/api/v1/secure/datasource/annotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keeps a note on a range of time.
         * @description All of the company sees it.
         */
        post: operations["AnnotationsController_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/annotation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a note.
         * @description For who wrote it and managers.
         */
        delete: operations["AnnotationsController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notes on ranges of time, which plots show, by their beginning.
         * @description There are at most 500.
         */
        get: operations["AnnotationsController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/append": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds the rows of an uploaded file to a datasource, all or nothing.
         * @description With `keys`, rows that are there already are replaced. The rows arrive later; `updating` tells when, and `import` what became of them.
         */
        post: operations["AppendController_append"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/detect-timeformat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The layout of a timestamp, as the `timeformat` of a datasource takes it.
         * @description `ambiguous` has the other readings when day and month can't be told apart.
         */
        post: operations["TimeFormatController_detect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/distinct-metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The distinct values of the metafield, sorted, a page at a time.
         * @description With `search`, only those that have that text.
         */
        post: operations["MetadataController_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows as CSV, Excel workbook or Parquet, values as they were imported.
         * @description In CSV, what a spreadsheet would run as a formula has an apostrophe before it.
         */
        get: operations["DownloadsController_rows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetches a table from an https address, an S3 object or, for managers, a query on PostgreSQL or MySQL.
         * @description It answers as an upload does, when all of it has come; a datasource that is made of it can be fetched again.
         */
        post: operations["PlaceController_fetch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/insert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Adds up to 1,000 rows.
         * @description Those that do not fit are skipped, each with its reason; what is acknowledged is kept.
         */
        patch: operations["InsertController_insert"];
        trace?: never;
    };
    "/api/v1/secure/datasource/place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Says how often a datasource is fetched by itself, and where and what is asked.
         * @description With another address the secret has to be sent again, if there is one.
         */
        patch: operations["PlaceController_change"];
        trace?: never;
    };
    "/api/v1/secure/datasource/refetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to fetch the datasource again from where it came.
         * @description Its rows stay as they are until all of the new ones are there.
         */
        post: operations["PlaceController_refetch"];
        /**
         * Stops a further fetch of a datasource, or the import of what it brought.
         * @description The rows that were there before stay as they are.
         */
        delete: operations["PlaceController_stop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/rejects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the import left out, as CSV.
         * @description Each record has file, line, reason and text; there are up to a million.
         */
        get: operations["DownloadsController_rejects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a datasource of sample data, to try the service with.
         * @description A company that has one gets that one.
         */
        post: operations["SampleController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/semantics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the columns of a datasource mean, and its figures that have names.
         * @description The assistant reads it with every question.
         */
        get: operations["SemanticsController_get"];
        /**
         * Writes a new version, of which the last 20 are kept.
         * @description For the creator of the datasource and managers; each metric is run before.
         */
        put: operations["SemanticsController_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/semantics/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A first version, proposed from the table itself.
         * @description Nothing is kept until it is written with a PUT.
         */
        get: operations["SemanticsController_draft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/semantics/yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last version as a YAML file.
         * @description A PUT takes it as `yaml`, of this datasource or of another with such columns.
         */
        get: operations["SemanticsController_yaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/store-ds-schema-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describes the rows as they are now.
         * @description The assistant uses the description from then on.
         */
        get: operations["SummaryController_store"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasource/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a table of up to 10 GiB: CSV, TSV, an Excel workbook (XLSX), Parquet, JSON or NDJSON, also packed by gzip or zstd, or a ZIP archive of them.
         * @description The answer says what the columns are; an upload that no datasource is made from is removed after 24 hours.
         */
        post: operations["UploadController_upload"];
        /**
         * Removes an upload that no datasource was made from.
         * @description An upload that became a datasource is not found.
         */
        delete: operations["UploadController_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's datasources, newest first.
         * @description `total` counts those on all pages.
         */
        get: operations["DatasourceController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/datasources/plain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Names and ids of datasources, newest first.
         * @description With `search`, only those whose name has that text.
         */
        post: operations["DatasourceController_listPlain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/evaluation/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks all verified questions of a datasource without their answers.
         * @description It runs in the background; a model or a description can be tried before it counts.
         */
        post: operations["EvaluationController_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/evaluation/run/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One evaluation, question by question.
         * @description While it runs, `state` is `waiting` or `running`.
         */
        get: operations["EvaluationController_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/evaluation/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last 20 evaluations of a datasource, newest first.
         * @description With them comes their schedule.
         */
        get: operations["EvaluationController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/evaluation/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets how often the questions of a datasource are asked by themselves, or pauses that.
         * @description The interval is in minutes.
         */
        post: operations["EvaluationController_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/evaluation/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a running evaluation.
         * @description What was asked until then stays.
         */
        post: operations["EvaluationController_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a link with which one person joins the company, once, within 7 days.
         * @description An older link for the same address ends. It is mailed where the service can.
         */
        post: operations["MembersController_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/invitation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an invitation.
         * @description Its link is worth nothing from now on.
         */
        delete: operations["MembersController_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/invitation/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The open invitations of the company, newest first.
         * @description What their links hold is not said again; how their mails stand is.
         */
        get: operations["MembersController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session.
         * @description Its token is worth nothing afterwards, and its sockets are closed.
         */
        post: operations["AuthController_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/relations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The relations of the company, or of one datasource, newest first.
         * @description Questions join datasources along confirmed ones alone.
         */
        get: operations["RelationsController_list"];
        put?: never;
        post?: never;
        /**
         * Forgets a relation.
         * @description It may be proposed again.
         */
        delete: operations["RelationsController_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/relations/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets questions join along a relation.
         * @description For the creator of one of its datasources and managers.
         */
        post: operations["RelationsController_confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/relations/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says that the rows do not belong together.
         * @description Nothing is joined along it, and it is not proposed again.
         */
        post: operations["RelationsController_dismiss"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/relations/propose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measures on all rows how two datasources may belong together.
         * @description What is likely is kept as a proposal, which a person confirms or dismisses.
         */
        post: operations["RelationsController_propose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of the caller's company.
         * @description Secrets are shown as `***`.
         */
        get: operations["SettingsController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes settings of the caller's company.
         * @description For managers. Secrets are stored encrypted and never shown again.
         */
        patch: operations["SettingsController_change"];
        trace?: never;
    };
    "/api/v1/secure/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a link that shows a board, or an answer of one's own, to whoever has it.
         * @description It changes nothing and ends by itself.
         */
        post: operations["ShareLinksController_make"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/share/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a link of one's own; managers any of the company.
         * @description It shows nothing from then on.
         */
        delete: operations["ShareLinksController_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/share/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's open links, newest first; for managers those of the company.
         * @description What they hold is not said again.
         */
        get: operations["ShareLinksController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenID Connect provider with which the people of the company sign in.
         * @description Its secret is not told.
         */
        get: operations["SignInSettingsController_get"];
        /**
         * Sets the provider, which is asked for its metadata first.
         * @description Who signs in with a password still can.
         */
        put: operations["SignInSettingsController_save"];
        post?: never;
        /**
         * Ends signing in by the provider.
         * @description Sessions that are open stay open.
         */
        delete: operations["SignInSettingsController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the company's answers took and cost.
         * @description For managers: by day, user or model, with how much of the month's budget is spent.
         */
        get: operations["UsageController_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user.
         * @description A manager sees those of the own company, `system` all.
         */
        get: operations["UsersController_get"];
        put?: never;
        post?: never;
        /**
         * Removes somebody's account, their sessions and conversations.
         * @description What they made for the company stays. With `erase` their keys and unused uploads go, too, and the audit log forgets who they were and what they asked.
         */
        delete: operations["MembersController_remove"];
        options?: never;
        head?: never;
        /**
         * Changes somebody's role, or blocks them or lets them in again.
         * @description Who is blocked or gets another role is signed out everywhere.
         */
        patch: operations["MembersController_change"];
        trace?: never;
    };
    "/api/v1/secure/user/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a link with which somebody sets a new password, once, within 7 days.
         * @description Until then the old one holds. It is mailed where the service can.
         */
        post: operations["MembersController_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/user/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The users of the caller's company.
         * @description Only managers may ask for them.
         */
        get: operations["UsersController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The verified questions of a datasource, its candidates, or those that were rejected, last changed first.
         * @description Answers that were rated are candidates.
         */
        get: operations["VerifiedController_list"];
        put?: never;
        /**
         * Verifies a question with its answer.
         * @description It is run before it is kept; from then on it answers the question.
         */
        post: operations["VerifiedController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secure/verified/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a question and its answer.
         * @description Answers that were given with it stay in their conversations.
         */
        delete: operations["VerifiedController_remove"];
        options?: never;
        head?: never;
        /**
         * Verifies, corrects or rejects a question.
         * @description What is left out stays as it is.
         */
        patch: operations["VerifiedController_change"];
        trace?: never;
    };
    "/api/v1/shared/figure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One figure of a shared board with the rows as they are now, or were within the last minute.
         * @description It is looked at as the board is.
         */
        post: operations["SharedController_figure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shared/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a link shows: a board with its figures as they were read last, or an answer.
         * @description Nothing else can be reached with it.
         */
        post: operations["SharedController_look"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to sign in with a company's provider.
         * @description The browser goes to `url`, and the provider sends it back to the console.
         */
        post: operations["SignInController_begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session with what the provider answered.
         * @description It works once, in the browser that began.
         */
        post: operations["SignInController_finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says that the process answers.
         * @description It asks no back-end; `health/ready` does.
         */
        get: operations["HealthController_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Asks every back-end and gives the state of each.
         * @description The status is 503 when one does not answer.
         */
        get: operations["HealthController_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedResponse: {
            /** @description With which to sign in. */
            email: string;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        AcceptInvitationBody: {
            first_name?: string;
            last_name?: string;
            /** @description 8 to 1,000 characters. */
            password: string;
            /** @description What the link holds. */
            token: string;
        };
        AccountResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            user: components["schemas"]["FullUser"];
        };
        AgentTaskData: {
            /** @enum {string} */
            action: "started" | "step" | "updated";
            /** @description Of the task. */
            id: string;
            run_id: string;
            /**
             * @description Of the task.
             * @enum {string}
             */
            status: "error" | "ready" | "running";
            /** @description With the action `step` alone. */
            step: components["schemas"]["TaskStepView"] | null;
        };
        AlertConditionBody: {
            percent?: number;
            /**
             * @description `above` and `below` a `value`; `changes` by `percent` or more since the check before; `no_data`: no row has a figure, or no rows are counted.
             * @enum {string}
             */
            type: "above" | "below" | "changes" | "no_data";
            value?: number;
        };
        AlertConditionView: {
            percent?: number;
            /** @enum {string} */
            type: "above" | "below" | "changes" | "no_data";
            value?: number;
        };
        AlertEventView: {
            at: string;
            id: string;
            /**
             * @description fired, resolved, or failed: it could not be checked.
             * @enum {string}
             */
            kind: "failed" | "fired" | "resolved";
            /** @description Who was mailed; kept for 30 days. */
            mails: components["schemas"]["MailView"][];
            reason: string;
            value: number | null;
        };
        AlertHistoryResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Newest first; a year of them. */
            history: components["schemas"]["AlertEventView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        AlertResponse: {
            alert: components["schemas"]["AlertView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        AlertsResponse: {
            /** @description Newest first. */
            alerts: components["schemas"]["AlertView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        AlertView: {
            check_at: components["schemas"]["WeeklyTimeView"] | null;
            /** @description Minutes; they count while `check_at` is null. */
            check_interval: number;
            checked_at: string | null;
            condition: components["schemas"]["AlertConditionView"];
            created_at: string;
            created_by: string;
            datasource_id: string;
            /** @description Those that it joins. */
            datasource_ids: string[];
            dbquery: string | null;
            enabled: boolean;
            /** @description Why the last check could not be made. */
            error: string | null;
            /** @description What is watched, in words; empty for a query. */
            figure: string;
            id: string;
            name: string;
            /** @description Null while it is off. */
            next_check_at: string | null;
            notify_emails: string[];
            plan: {
                [key: string]: unknown;
            } | null;
            /** @description Since when it is in this state. */
            since: string;
            /**
             * @description waiting for its first check, ok, or firing: its condition was met at the last check.
             * @enum {string}
             */
            state: "firing" | "ok" | "waiting";
            updated_at: string;
            /** @description The figure at the last check; before the first, when the alert was made. Null: there was none. */
            value: number | null;
            /** @description What its join makes of the rows: those that count several times, those without a partner. */
            warnings: string[];
            webhook: boolean;
        };
        AnnotationBody: {
            datasource_id: string;
            /** @description ISO 8601; without an offset UTC. */
            from: string;
            text: string;
            /** @description The same as `from`: a moment. */
            to: string;
        };
        AnnotationResponse: {
            annotation: components["schemas"]["AnnotationView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        AnnotationsResponse: {
            annotations: components["schemas"]["AnnotationView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        AnnotationView: {
            created_at: string;
            from: string;
            id: string;
            /** @description Whether the caller may remove it. */
            removable: boolean;
            text: string;
            to: string;
        };
        AnswerDataView: {
            columns: string[];
            /** @description At most 100; times are ISO 8601. */
            rows: (string | number | boolean | null)[][];
        };
        AnswerJoinView: {
            /** @description Rows of the left one to which none belongs. */
            alone: number;
            /** @description The datasource of the rows. */
            left: string;
            /** @description Rows of the left one. */
            of: number;
            /** @description The datasource that they are joined with. */
            right: string;
            /** @description Rows that the join makes of them; more than `of` where a row belongs to several, so that figures count some more than once. */
            rows: number;
        };
        AnswerSourceView: {
            file_id: string;
            filename: string;
            page: number | null;
            quote: string;
        };
        AnswerView: {
            /** @description Vega-Lite specification with its data, for an interactive client. */
            chart: {
                [key: string]: unknown;
            } | null;
            data: components["schemas"]["AnswerDataView"] | null;
            /** @description The datasource whose rows the figures are of, or begin with; null where there are none. */
            datasource_id: string | null;
            /** @description The query that ran; empty if none. */
            dbquery: string;
            /** @description Why there is no (whole) answer; only there when there is none. */
            error?: string;
            evidence: components["schemas"]["EvidenceView"];
            /**
             * @description Whether this is an answer, a question back, or an honest no.
             * @enum {string}
             */
            kind: "answer" | "cannot" | "clarify";
            /** @description Which model answered. */
            model: string;
            /** @description What to know beside the answer: the company's budget for models comes to its end. Only there when there is something. */
            notice?: string;
            /** @description The question as it was understood, in words. */
            query: string;
            /** @description The answer, in Markdown. */
            response: string;
            /** @description Passages of context files that the answer rests on. */
            sources: components["schemas"]["AnswerSourceView"][];
            /** @description How the question behind the answer's query was read; null when no plan is behind it. */
            understood: components["schemas"]["UnderstoodView"] | null;
            /** @description A manager has marked question and answer as right; only there when it is so. The figures come from the rows as they are now. */
            verified?: boolean;
            /** @description When; only there when `verified` is true. */
            verified_at?: string;
            /** @description Who has; only there when `verified` is true. */
            verified_by?: components["schemas"]["VerifierView"];
            /** @description File name of the chart's image; empty if none. */
            visualization: string;
        };
        ApiKeyCreatedResponse: {
            api_key: components["schemas"]["ApiKeyView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description What is sent as `Authorization: Bearer`. It is shown this once. */
            key: string;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ApiKeysResponse: {
            /** @description Newest first. */
            api_keys: components["schemas"]["ApiKeyView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description On all pages. */
            total: number;
        };
        ApiKeyView: {
            /** @description How the key begins, so that it can be found again where it is used. */
            begins: string;
            created_at: string;
            /** @description Null: it does not end by itself. An expired one is listed for 30 days. */
            expires_at: string | null;
            id: string;
            /** @description Exact to the minute; null: never. */
            last_used_at: string | null;
            name: string;
            owner: components["schemas"]["KeyOwnerView"];
            scopes: ("ask" | "read" | "write")[];
        };
        AppendBody: {
            datasource_id: string;
            /** @description The original name. */
            file?: string;
            /** @description The generated key from the upload, not the original name. */
            filename: string;
            /** @description Names of the upload's files that are taken, such as a sheet. Without it: all files, of a workbook its first sheet with a table. */
            files?: string[];
            /** @description Columns of the datasource. A row of the file takes the place of the earlier rows that have the same values in all of them; without keys every row is added. */
            keys?: string[];
            /** @description Columns whose names differ, or that are not to be taken. All others go by their names, upper and lower case alike. */
            mapping?: components["schemas"]["AppendMappingBody"][];
            /** @description Layout of the file's timestamps; empty: that of the datasource where it fits, else detected. */
            timeformat?: string;
        };
        AppendMappingBody: {
            /** @description As the header calls it. */
            column: string;
            /** @description The column of the datasource; null: it is not taken. */
            to?: string | null;
        };
        AppendResponse: {
            datasource_id: string;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Columns of the file that the datasource does not have, or that are not to be taken. */
            ignored_columns: string[];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Columns of the datasource that the file does not have: its rows have no value there. */
            missing_columns: string[];
            /** @description Empty when the datasource is no time series. */
            timeformat: string;
        };
        AskedDatasourceView: {
            id: string;
            name: string;
        };
        AskedQuestionView: {
            id: string;
            /** @description For each model, in their order; empty until it was asked. */
            judged: components["schemas"]["JudgedView"][];
            question: string;
        };
        AssistantView: {
            answer_seconds: number;
            /** @description It is the built-in analyst, which needs no endpoint and has no price. */
            built_in: boolean;
            /** @description The built-in analyst answers when the model is away. */
            fallback: boolean;
            /** @description Of answers; null: that of the question. */
            language: string | null;
            /** @description As answers name it. */
            model: string;
            query_seconds: number;
            /** @description Null: no limit. */
            tokens_per_day: number | null;
            /** @description Of this day, UTC; null where there is no limit, since nobody counts then. */
            tokens_used_today: number | null;
            /** @description Of one answer. */
            tool_calls: number;
        };
        AuditEntryView: {
            /** @description Method and route, such as `PATCH secure/user/:id`. */
            action: string;
            address: string;
            created_at: string;
            /** @description What it was about, by the names of the request's fields. `times` and `inserted_rows`: insertions and refusals of an hour are one entry. */
            details: {
                [key: string]: string;
            };
            /** @description Of who did it; empty for a service account. */
            email: string;
            id: string;
            /** @description False: it was refused. */
            succeeded: boolean;
            user_id: string;
        };
        AuditResponse: {
            /** @description Newest first. */
            entries: components["schemas"]["AuditEntryView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        BeginSignInBody: {
            /** @description As in the link of the company. */
            company_id?: string;
            /**
             * Format: email
             * @description Finds the company by its domain. Either this or `company_id` is needed.
             */
            email?: string;
        };
        BinEntryResponse: {
            entry: components["schemas"]["BinEntryView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        BinEntryView: {
            deleted_at: string;
            id: string;
            /** @description `datasource`, `conversation`, `task`, `context-file` or `board`. */
            kind: string;
            /** @description Its name or title. */
            name: string;
            /** @description Then it is removed for good. */
            restorable_until: string;
        };
        BinResponse: {
            /** @description The last deleted first. */
            entries: components["schemas"]["BinEntryView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        BoardFilterBody: {
            /** @description A column's name, in whatever datasource of the board has one. */
            column: string;
            /** @description One of these must be in it. */
            values: (string | number | boolean)[];
        };
        BoardFilterView: {
            column: string;
            values: (string | number | boolean)[];
        };
        BoardFullView: {
            created_at: string;
            created_by: components["schemas"]["BoardMakerView"];
            filters: components["schemas"]["BoardFilterView"][];
            id: string;
            /** @description The planned time of the last mail, and how it stands with each who gets it, for 30 days. */
            last_mail_at: string | null;
            last_mails: components["schemas"]["MailView"][];
            /** @description Kept while it is off. */
            mail_at: components["schemas"]["WeeklyTimeView"] | null;
            mail_enabled: boolean;
            /** @description Why the last mail was not sent, or the schedule has paused; null: all is well. */
            mail_note: string | null;
            /** @description Null while it is off. */
            next_mail_at: string | null;
            notes: string;
            notify_emails: string[];
            range: components["schemas"]["BoardRangeView"] | null;
            refresh_minutes: number | null;
            tile_count: number;
            tiles: components["schemas"]["TileView"][];
            title: string;
            updated_at: string;
        };
        BoardMakerView: {
            id: string;
            name: string;
        };
        BoardRangeBody: {
            /** @description ISO 8601, inclusive. */
            from?: string | null;
            /** @description So many units up to the newest row of each datasource, and not beyond now. Days and longer units are whole days, UTC. */
            last?: number | null;
            /** @description ISO 8601, exclusive. */
            to?: string | null;
            /** @enum {string|null} */
            unit?: "day" | "hour" | "minute" | "month" | null | "quarter" | "week" | "year";
        };
        BoardRangeView: {
            from?: string | null;
            last?: number;
            to?: string | null;
            /** @enum {string} */
            unit?: "day" | "hour" | "minute" | "month" | "quarter" | "week" | "year";
        };
        BoardResponse: {
            board: components["schemas"]["BoardFullView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        BoardsResponse: {
            boards: components["schemas"]["BoardSummaryView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        BoardSummaryView: {
            created_at: string;
            created_by: components["schemas"]["BoardMakerView"];
            id: string;
            notes: string;
            tile_count: number;
            title: string;
            updated_at: string;
        };
        BoardViewBody: {
            filters?: components["schemas"]["BoardFilterBody"][];
            /** @description The time that all figures are of; null for all of it. */
            range?: components["schemas"]["BoardRangeBody"] | null;
        };
        BudgetView: {
            /** @description Null: there is none. */
            per_month: number | null;
            /** @description In this month, whatever days were asked for. */
            spent: number;
            /**
             * @description `warning` from 80 %; `spent`: models don't answer until the next month.
             * @enum {string}
             */
            state: "none" | "ok" | "spent" | "warning";
        };
        CapabilitiesResponse: {
            assistant: components["schemas"]["AssistantView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            formats: components["schemas"]["FormatsView"];
            limits: components["schemas"]["LimitsView"];
            /** @description Mail can be sent: a mail server is set up. */
            mail: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description What keeps the rows, and the language of queries over them. */
            row_engine: string;
        };
        ChangeAccountBody: {
            first_name?: string | null;
            last_name?: string | null;
        };
        ChangeAlertBody: {
            /** @description At times of the week in place of the interval; null: the interval counts. */
            check_at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description Minutes between two checks, 1 to 1440; default 15. */
            check_interval?: number;
            condition?: components["schemas"]["AlertConditionBody"];
            /** @description False: it is checked when somebody asks; default true. */
            enabled?: boolean;
            name?: string;
            /** @description Who gets a mail when it fires, up to 20: people of the company, and whomever a manager names. */
            notify_emails?: string[];
            /** @description The company's webhook is told, too; default false. */
            webhook?: boolean;
        };
        ChangeBoardBody: {
            filters?: components["schemas"]["BoardFilterBody"][];
            /** @description Where tiles lie from now on. Those that it does not name stay, and where two would overlap one goes further down. */
            layout?: components["schemas"]["TilePlaceBody"][];
            mail_at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description True: the board goes out by mail at `mail_at` to `notify_emails`, both of which it must have. */
            mail_enabled?: boolean;
            notes?: string;
            /** @description Who gets it, up to 20: people of the company, and whomever a manager names. */
            notify_emails?: string[];
            /** @description The time that all figures are of; null for all of it. */
            range?: components["schemas"]["BoardRangeBody"] | null;
            /** @description While the board is open its figures are read anew every so many minutes; null for never. */
            refresh_minutes?: number | null;
            title?: string;
        };
        ChangedSettingsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Normally one record. */
            settings: components["schemas"]["SettingsView"][];
            /** @description The secret that was made for a webhook that came without one. It is not shown again. */
            webhook_secret?: string;
        };
        ChangeMemberBody: {
            /** @description False: may not sign in, and is signed out everywhere. */
            is_active?: boolean | null;
            /**
             * @description `user` or `manager`.
             * @enum {string|null}
             */
            role?: "manager" | null | "user";
        };
        ChangePasswordBody: {
            current_password: string;
            /** @description 8 to 1,000 characters. */
            new_password: string;
        };
        ChangePlaceBody: {
            /** @description Of the same kind. */
            address?: string;
            /** @description A time of day on some days of the week instead. */
            at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description PEM of the authorities that the certificate must come from; without it those that the system trusts. */
            ca?: string;
            /** @description Minutes from one fetch to the next, at least 5; 0: only when somebody asks. */
            every_minutes?: number;
            id: string;
            /** @description A database: the SELECT whose rows are fetched. */
            query?: string;
            /** @description HTTPS: the value of the authorization header. S3: the secret access key. A database: the password. It is sealed, and never told again. */
            secret?: string;
            /** @description S3: the id of the access key. A database: who signs in. */
            user?: string;
        };
        ChangeQuestionBody: {
            /** @description What is drawn of the result. With another plan or other SQL nothing is, unless this says it. */
            chart?: components["schemas"]["ChartRequestBody"];
            /** @description Further datasources that `plan` or `sql` may join, along relations that are confirmed. Left out: those that the one before joined. */
            datasource_ids?: string[];
            /** @description What is asked of the rows, as `understood` of an answer has it. Either this or `sql`. */
            plan?: {
                [key: string]: unknown;
            };
            /** @description It must stand alone: no question before it is known when it is asked. */
            question?: string;
            /** @description One SELECT over the table `data`, instead of `plan`. */
            sql?: string;
            /**
             * @description `verified`: it answers this question from now on.
             * @enum {string}
             */
            state?: "candidate" | "rejected" | "verified";
            /** @description The answer in words, Markdown. `{column}` stands for that figure of the first row, as it is when the question is asked. */
            wording?: string;
        };
        ChangeSettingsBody: {
            /**
             * @description Merged into the settings: null removes a name, lists are replaced whole, `***` keeps a secret as it is stored. Known are
             *     `webhook` with `url`, `secret` and `events`, and `assistant` with `model`, `temperature`, `max_tokens`,
             *     `context_tokens`, `reasoning_effort`, `refuses`, `language`, `instructions`, `fallback`, `prices` and `limits` (`answer_seconds`, `tool_calls`, `tokens_per_day`, `budget_per_month`).
             */
            config: {
                [key: string]: unknown;
            };
        };
        ChangeTileBody: {
            /** @description Of a note, Markdown. */
            text?: string;
            /** @description Of a figure. */
            title?: string;
        };
        ChartRequestBody: {
            /** @enum {string} */
            kind: "area" | "bar" | "grouped_bar" | "heatmap" | "histogram" | "line" | "pie" | "scatter" | "stacked_bar";
            series?: string | null;
            title?: string | null;
            /** @description A column of the result, as are `y` and `series`. */
            x: string;
            y?: string | null;
        };
        ChartResponse: {
            /** @description Vega-Lite specification with its data. */
            chart: {
                [key: string]: unknown;
            };
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ChatBody: {
            /**
             * @description With `plan`: the kind of chart. Where the answer can't be drawn so, it says why.
             * @enum {string|null}
             */
            chart?: "area" | "bar" | "grouped_bar" | "heatmap" | "histogram" | "line" | null | "pie" | "scatter" | "stacked_bar";
            /** @description This answer comes from context files alone. */
            context_only?: boolean;
            conversation_id: string;
            /** @description With `plan`: which datasource of the conversation it is about, as `datasource_id` of an answer says; left out: the main one. */
            datasource_id?: string | null;
            /** @description The question, 1 to 8,000 characters. Needed where there is no `plan`, and unused where there is one. */
            message?: string;
            /**
             * @description Asked instead of a question, without a model: a plan as `understood` of an answer has it, changed or not. The question that the
             *     conversation shows is the plan in words.
             */
            plan?: {
                [key: string]: unknown;
            } | null;
            /** @description Accepted and unused. */
            skip_history?: boolean;
            /** @description Neither the question nor the answer is kept. */
            skip_save_history?: boolean;
        };
        ChatChunkData: {
            chunk: string;
            conversation_id: string;
            message_id: string;
            /** @description 1, 2, 3 … within the message, in order and without a gap. */
            seq: number;
        };
        ChatCompleteData: {
            conversation_id: string;
            message_id: string;
            response: components["schemas"]["AnswerView"];
            /** @description 1, 2, 3 … within the message, in order and without a gap. */
            seq: number;
        };
        ChatErrorData: {
            conversation_id: string;
            error: string;
            message_id: string;
            /** @description 1, 2, 3 … within the message, in order and without a gap. */
            seq: number;
        };
        ChatLoadingData: {
            conversation_id: string;
            message_id: string;
            /** @description 1, 2, 3 … within the message, in order and without a gap. */
            seq: number;
            /** @description In words. */
            step: string;
        };
        ChatResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            response: components["schemas"]["AnswerView"];
        };
        ChatStreamBody: {
            /**
             * @description With `plan`: the kind of chart. Where the answer can't be drawn so, it says why.
             * @enum {string|null}
             */
            chart?: "area" | "bar" | "grouped_bar" | "heatmap" | "histogram" | "line" | null | "pie" | "scatter" | "stacked_bar";
            /** @description This answer comes from context files alone. */
            context_only?: boolean;
            conversation_id: string;
            /** @description With `plan`: which datasource of the conversation it is about, as `datasource_id` of an answer says; left out: the main one. */
            datasource_id?: string | null;
            /** @description The question, 1 to 8,000 characters. Needed where there is no `plan`, and unused where there is one. */
            message?: string;
            /**
             * @description Asked instead of a question, without a model: a plan as `understood` of an answer has it, changed or not. The question that the
             *     conversation shows is the plan in words.
             */
            plan?: {
                [key: string]: unknown;
            } | null;
            /** @description Neither the question nor the answer is kept. */
            skip_save_history?: boolean;
        };
        ChatStreamResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Names the stream: a room of the WebSocket, and the answer in the history. */
            message_id: string;
        };
        ChatVisualizationData: {
            /** @description Vega-Lite specification with its data. */
            chart: {
                [key: string]: unknown;
            };
            conversation_id: string;
            message_id: string;
            /** @description 1, 2, 3 … within the message, in order and without a gap. */
            seq: number;
            /** @description File name for `GET /api/v1/secure/assistant/visualizations/:filename`. */
            visualization: string;
        };
        ColumnChangeBody: {
            /** @description As the header calls it. */
            column: string;
            /** @description What it is called from now on; left out: as before. */
            name?: string;
            /**
             * @description What answers and charts do with its numbers: `sum`, `average`, or `none` when they only name something. Left out: as it is decided.
             * @enum {string}
             */
            role?: "average" | "none" | "sum";
            /**
             * @description What it holds: a text that is no such value counts as a missing one. Left out: as it is detected.
             * @enum {string}
             */
            type?: "boolean" | "integer" | "number" | "text" | "time";
        };
        ColumnChangeView: {
            /** @description As the header calls it. */
            column: string;
            name: string;
            /** @description Null: as it was decided. */
            role: string | null;
            /** @description Null: as it was detected. */
            type: string | null;
        };
        ColumnPairBody: {
            /** @description Of the first datasource. */
            first: string;
            /** @description Of the second datasource. */
            second: string;
        };
        ColumnSemanticsBody: {
            /** @description The values that it may have; empty: any. */
            allowed_values?: string[];
            description?: string;
            /**
             * @description `percent` 25 and `fraction` 0.25 are both 25 %.
             * @enum {string}
             */
            format?: "" | "currency" | "decimal" | "fraction" | "percent" | "whole";
            /** @description The header's own name. */
            name: string;
            /**
             * @description What is done with the numbers of several rows where nobody says it.
             * @enum {string}
             */
            role?: "" | "average" | "none" | "sum";
            /** @description Other names of the column. */
            synonyms?: string[];
            unit?: string;
        };
        ColumnSemanticsView: {
            allowed_values: string[];
            description: string;
            /** @enum {string} */
            format: "" | "currency" | "decimal" | "fraction" | "percent" | "whole";
            name: string;
            /** @enum {string} */
            role: "" | "average" | "none" | "sum";
            synonyms: string[];
            unit: string;
        };
        ColumnSummaryView: {
            /** @description Exact up to 150,000, an estimate above. */
            distinct_count: number;
            /**
             * @description Of numbers, when `bins` was given: bins of equal width from the lowest to the highest value. Of up to 100 columns; not there when
             *     counting took too long.
             */
            histogram?: components["schemas"]["HistogramBinView"][];
            max: (string | number | boolean) | null;
            /** @description Of numbers. */
            mean: number | null;
            min: (string | number | boolean) | null;
            name: string;
            null_count: number;
            /**
             * @description What is done with the numbers of several rows where nobody says it: `sum`, `average`, or `none` of what is no figure; else empty.
             * @enum {string}
             */
            role: "" | "average" | "none" | "sum";
            /** @description Of texts and booleans: the 20 most frequent, most frequent first. */
            top_values: components["schemas"]["TopValueView"][];
            /** @description number, integer, boolean, time or text. */
            type: string;
        };
        CompanyResponse: {
            company: components["schemas"]["CompanyView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        CompanyView: {
            created_at: string;
            /** @description `0001-01-01T00:00:00Z` while the company is not deleted. */
            deleted_at: string;
            id: string;
            is_active: boolean;
            meta: {
                [key: string]: unknown;
            };
            name: string;
            updated_at: string;
        };
        ConditionBody: {
            /** @enum {string} */
            aggregate?: "avg" | "count" | "count_distinct" | "iqr" | "kurtosis" | "kurtosis_pop" | "max" | "mean_abs_deviation" | "median" | "min" | "missing" | "product" | "range" | "skewness" | "skewness_pop" | "standard_error" | "stddev" | "stddev_pop" | "sum" | "variance" | "variance_pop";
            /** @description Left out or null with `count`: rows are counted. */
            column?: string | null;
            /** @description One of the task's datasources. */
            datasource_id?: string;
            /** @enum {string} */
            operator?: "!=" | "<" | "<=" | "=" | ">" | ">=";
            /**
             * @description `new_data`: rows have changed since the last run that ended well. `threshold`: a figure compares so with a value.
             * @enum {string}
             */
            type: "always" | "new_data" | "threshold";
            value?: number;
            /** @description Only the rows of so many minutes up to the newest row. */
            window_minutes?: number | null;
        };
        ConditionView: {
            /** @enum {string} */
            aggregate?: "avg" | "count" | "count_distinct" | "iqr" | "kurtosis" | "kurtosis_pop" | "max" | "mean_abs_deviation" | "median" | "min" | "missing" | "product" | "range" | "skewness" | "skewness_pop" | "standard_error" | "stddev" | "stddev_pop" | "sum" | "variance" | "variance_pop";
            column?: string | null;
            datasource_id?: string;
            /** @enum {string} */
            operator?: "!=" | "<" | "<=" | "=" | ">" | ">=";
            /** @enum {string} */
            type: "always" | "new_data" | "threshold";
            value?: number;
            window_minutes?: number | null;
        };
        ContextFileMetadataView: {
            /** @description The company's collection of embeddings; empty until the file is ready. */
            collection_id: string;
            company_id: string;
            created_at: string;
            /** @description The id of who uploaded it: besides managers, they may delete it. */
            created_by: string;
            /** @description Null where the format has no pages, and until it is ready. */
            pages: number | null;
            /** @description How many pieces it was cut into; 0 until it is ready. */
            passages: number;
            /** @description Why it failed; only there when it did. */
            reason?: string;
            /** @description Bytes. */
            size: number;
            /**
             * @description `pending` while it is processed, `ready` when answers can use it, or `failed`.
             * @enum {string}
             */
            status: "failed" | "pending" | "ready";
            /** @description The media type that its content shows. */
            type: string;
        };
        ContextFilesResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Newest first. */
            files: components["schemas"]["ContextFileView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ContextFileStatusData: {
            file_id: string;
            filename: string;
            /** @description Why it failed; empty when it is ready. */
            reason: string;
            /** @enum {string} */
            status: "failed" | "ready";
        };
        ContextFileView: {
            filename: string;
            id: string;
            metadata: components["schemas"]["ContextFileMetadataView"];
            uploaded_date: string;
        };
        ConversationCreatedResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            id: string;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ConversationResponse: {
            conversation: components["schemas"]["ConversationView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ConversationsResponse: {
            conversations: components["schemas"]["ConversationView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        ConversationView: {
            _id: string;
            context_only: boolean;
            created_at: string;
            datasource_id: string;
            /** @description Empty when the datasource is gone. */
            datasource_name: string;
            /** @description All that it asks, the main one first, without those that are gone. */
            datasources: components["schemas"]["AskedDatasourceView"][];
            last_message_at: string | null;
            pinned: boolean;
            /** @description ready or loading. */
            status: string;
            title: string;
            updated_at: string;
        };
        CreateAlertBody: {
            /** @description At times of the week in place of the interval; null: the interval counts. */
            check_at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description Minutes between two checks, 1 to 1440; default 15. */
            check_interval?: number;
            condition: components["schemas"]["AlertConditionBody"];
            datasource_id: string;
            /** @description Further datasources that the figure may join, along relations that are confirmed. */
            datasource_ids?: string[];
            /** @description One SELECT with one figure over the table `data`, such as an answer's `dbquery`. */
            dbquery?: string;
            /** @description False: it is checked when somebody asks; default true. */
            enabled?: boolean;
            /** @description Not empty, at most 200 characters. */
            name: string;
            /** @description Who gets a mail when it fires, up to 20: people of the company, and whomever a manager names. */
            notify_emails?: string[];
            /** @description A plan with one figure, as `understood` of an answer has it. Either this or `dbquery`. */
            plan?: {
                [key: string]: unknown;
            };
            /** @description The company's webhook is told, too; default false. */
            webhook?: boolean;
        };
        CreateApiKeyBody: {
            /** @description Instead of `expires_at`: after so many days, 1 to 3,650. */
            days?: number;
            /** @description When it ends, in ISO 8601. Without it and without `days` it does not end by itself. */
            expires_at?: string;
            /** @description What the key is for, in 1 to 100 characters. */
            name: string;
            /** @description What it may do: `read`, `ask`, `write`. */
            scopes: ("ask" | "read" | "write")[];
            /** @description For managers: the key of a program that is no user. Left out, the key is the caller's own. */
            service_account?: components["schemas"]["ServiceAccountBody"];
        };
        CreateBoardBody: {
            notes?: string;
            title: string;
        };
        CreateConversationBody: {
            /** @description Answers come from context files alone. */
            context_only?: boolean;
            /** @description What it asks. Needed where there are no `datasource_ids`. */
            datasource_id?: string;
            /** @description Up to five, which are asked together. The first is the main one, and `datasource_id` if that is sent, too. */
            datasource_ids?: string[];
            /** @description Not empty, at most 200 characters. */
            title: string;
        };
        CreateDatasourceBody: {
            config: components["schemas"]["DatasourceConfigBody"];
            /** @description The original name. */
            file?: string;
            /** @description The generated key from the upload, not the original name. */
            filename: string;
            /** @description Names of the upload's files that are taken, such as a sheet. Without it: all files, of a workbook its first sheet with a table. */
            files?: string[];
            name: string;
            /**
             * @description `csv` may be said of every file: what it is, its bytes tell.
             * @enum {string}
             */
            type: "csv" | "json" | "ndjson" | "parquet" | "tsv" | "txt" | "xlsx";
        };
        CreateQuestionBody: {
            /** @description What is drawn of the result. With another plan or other SQL nothing is, unless this says it. */
            chart?: components["schemas"]["ChartRequestBody"];
            datasource_id: string;
            /** @description Further datasources that `plan` or `sql` may join, along relations that are confirmed. Left out: those that the one before joined. */
            datasource_ids?: string[];
            /** @description What is asked of the rows, as `understood` of an answer has it. Either this or `sql`. */
            plan?: {
                [key: string]: unknown;
            };
            /** @description It must stand alone: no question before it is known when it is asked. */
            question: string;
            /** @description One SELECT over the table `data`, instead of `plan`. */
            sql?: string;
            /** @description The answer in words, Markdown. `{column}` stands for that figure of the first row, as it is when the question is asked. */
            wording: string;
        };
        CreateTaskBody: {
            /** @description At times of the week in place of the interval; default null: the interval counts. */
            automation_at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description Whether the task runs by itself; default false. */
            automation_enabled?: boolean;
            /** @description Minutes: 1 to 1440, or one of 15, 30, 60, 120, 1440 when `thinking`; default 15. */
            automation_interval?: number;
            /** @description When a scheduled run is worth its while; default always. */
            condition?: components["schemas"]["ConditionBody"];
            /** @description Ids of 1 to 20 datasources of the company. */
            datasources: string[];
            /**
             * @description `solve` answers the prompt, `report` writes a structured report; default `solve`.
             * @enum {string}
             */
            mode?: "report" | "solve";
            /** @description Not empty, at most 200 characters. */
            name: string;
            /** @description Who gets the result of each run by mail, up to 20: people of the company, and whomever a manager names; default nobody. */
            notify_emails?: string[];
            /** @description What the task is to find out, in 1 to 8,000 characters. */
            prompt: string;
            /** @description Plan first, work in several rounds, check the result; default false. */
            thinking?: boolean;
        };
        CurrentUserResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            user: components["schemas"]["SimplifiedUser"];
        };
        DatasourceConfigBody: {
            /** @description Columns that get another name or type before they are imported. */
            column_changes?: components["schemas"]["ColumnChangeBody"][];
            /** @description Free text that improves answers. */
            context?: string;
            /** @enum {string} */
            granularity?: "" | "days" | "hours" | "minutes" | "seconds";
            is_timeseries?: boolean;
            /** @description Seconds from a row's timestamp until it is gone; 0: kept for ever. */
            lifespan?: number;
            /** @description Name of the metadata column; always required. */
            metafield: string;
            /** @description Name of the timestamp column; required for a time series. */
            timefield?: string;
            /** @description Layout of the timestamps: Go, strftime or Unicode tokens, `unix` or `unix_ms`; empty: detected. */
            timeformat?: string;
            /** @description Measures; empty: every numeric column but those two. */
            values?: string[];
        };
        DatasourceConfigView: {
            /** @description The distinct values of the metafield, sorted, the first 1,000. */
            assets: string[];
            column_changes: components["schemas"]["ColumnChangeView"][];
            columns: string[][];
            context: string;
            granularity: string;
            is_timeseries: boolean;
            lifespan: number;
            metafield: string;
            timefield: string;
            timeformat: string;
            values: string[];
        };
        DatasourceCreatedResponse: {
            datasource_id: string;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        DatasourceResponse: {
            datasource: components["schemas"]["DatasourceView"];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        DatasourcesResponse: {
            datasources: components["schemas"]["DatasourceView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        DatasourceUpdatedData: {
            /** @enum {string} */
            action: "deleted" | "failed" | "progress" | "updated";
            datasource_id: string;
            /** @description Rows of the datasource now. */
            doc_count: number;
            message: string;
            /** @description Of the import; null when it can't be told. */
            percent: number | null;
            rejected: number;
            /** @description Of the import so far. */
            rows: number;
        };
        DatasourceView: {
            config: components["schemas"]["DatasourceConfigView"];
            created_at: string;
            /** @description What became of each of them, once they are imported. */
            d_files: components["schemas"]["LoadedFileView"][];
            doc_count: number;
            filename: string;
            /** @description Original names, one per CSV file; in an archive the paths there. */
            files: string[];
            id: string;
            import: components["schemas"]["ImportView"];
            name: string;
            /** @description Where it is fetched from; null: it was made from an upload. */
            place: components["schemas"]["PlaceView"] | null;
            type: string;
            updated_at: string;
            updating: boolean;
        };
        DeleteConversationBody: {
            id: string;
            /** @description True: it does not go to the bin. */
            permanent?: boolean;
        };
        DeleteDatasourceBody: {
            id: string;
            /** @description True: it does not go to the bin. */
            permanent?: boolean;
        };
        DetectTimeFormatBody: {
            /** @description One value of the timestamp column. */
            timestamp: string;
        };
        DetectTimeFormatResponse: {
            /** @description The other readings in Unicode tokens, when day and month can't be told apart. */
            ambiguous: string[];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            layouts: components["schemas"]["TimeLayoutsView"];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description In Unicode tokens, or `unix` or `unix_ms`. */
            timeformat: string;
        };
        DialectView: {
            /** @description What numbers have before their fraction: a point or a comma. */
            decimal: string;
            delimiter: string;
            encoding: string;
            /** @description What stands before a quote inside a quoted field. */
            escape: string;
            /** @description The least fields that a row may have; those that it lacks at its end are empty. */
            fewest_fields: number;
            has_header: boolean;
            /** @description Rows that name the columns; of several rows the names are joined. */
            header_rows: number;
            /** @description Lines of titles, remarks or nothing that stand above the table. */
            preamble_lines: number;
            /** @description What fields may be wrapped in; empty: nothing. */
            quote: string;
            /** @description Blanks around fields are not part of them. */
            trims: boolean;
        };
        EditConversationBody: {
            /** @description Answers come from context files alone. */
            context_only?: boolean;
            /** @description Another datasource of the company; refused while an answer is being made. */
            datasource_id?: string;
            /** @description Up to five, which are asked together, the main one first. */
            datasource_ids?: string[];
            id: string;
            pinned?: boolean;
            /** @description Not empty, at most 200 characters; left out: stays as it is, like every field here. */
            title?: string;
        };
        EditDatasourceBody: {
            /** @description Free text that improves answers; left out: stays as it is. */
            context?: string;
            id: string;
            /** @description Left out: stays as it is. */
            name?: string;
        };
        Envelope: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        EvaluationIdBody: {
            /** @description The evaluation. */
            id: string;
        };
        EvaluationResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            evaluation: components["schemas"]["WholeEvaluationView"];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        EvaluationScheduleBody: {
            /** @description False pauses it. Left out: true. */
            enabled?: boolean;
            /** @description The datasource. */
            id: string;
            /** @description Minutes, 15 to 10080. */
            interval: number;
        };
        EvaluationScheduleResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            schedule: components["schemas"]["EvaluationScheduleView"];
        };
        EvaluationScheduleView: {
            enabled: boolean;
            interval: number;
            next_run_at: string | null;
        };
        EvaluationsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description The last 20, newest first. */
            evaluations: components["schemas"]["EvaluationView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Null as long as there was none. */
            schedule: components["schemas"]["EvaluationScheduleView"] | null;
        };
        EvaluationView: {
            created_at: string;
            datasource_id: string;
            /** @description Questions that were asked. */
            done: number;
            ended_at: string | null;
            error: string;
            id: string;
            models: components["schemas"]["ModelSummaryView"][];
            /** @enum {string} */
            state: "done" | "failed" | "running" | "stopped" | "waiting";
            total: number;
            /** @description A description was tried that did not count. */
            tries_semantics: boolean;
            /** @enum {string} */
            trigger: "command" | "person" | "schedule";
        };
        EvidenceView: {
            /** @description Each filter in words. */
            filters: string[];
            /** @description Each join of the last query. */
            joins: components["schemas"]["AnswerJoinView"][];
            /** @description How many queries ran. */
            queries: number;
            rows_returned: number;
            /** @description Rows that the datasource had when it was asked. */
            rows_scanned: number;
            time_range: components["schemas"]["TimeRangeView"] | null;
            /** @description Figures of the answer that stand in no row and no passage and follow from none, as it writes them. */
            unverified: string[];
        };
        FailureResponse: {
            /** @description All that is wrong with the request; there when single fields are. */
            details?: components["schemas"]["FieldProblemView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        FeedbackBody: {
            conversation_id: string;
            /** @description What would be right, in words. Left out: nothing is said. */
            correction?: string | null;
            /** @description An answer of the conversation. */
            message_id: string;
            /**
             * @description Null, or left out: neither.
             * @enum {string|null}
             */
            rating?: "down" | null | "up";
        };
        FeedbackResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Of the answers of a conversation that have any. */
            feedback: components["schemas"]["OpinionView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        FeedbackView: {
            at: string;
            by: string;
            /** @description What would be right, in the asker's words. */
            correction: string;
            /** @enum {string|null} */
            rating: "down" | null | "up";
        };
        FetchPlaceBody: {
            /** @description `https://host/path`, `s3://bucket/key?region=…` (Amazon), `s3+https://host/bucket/key`, `postgresql://host:port/database` or `mysql://host:port/database`, without user and password. */
            address: string;
            /** @description PEM of the authorities that the certificate must come from; without it those that the system trusts. */
            ca?: string;
            /** @enum {string} */
            kind: "https" | "mysql" | "postgresql" | "s3";
            /** @description A database: the SELECT whose rows are fetched. */
            query?: string;
            /** @description HTTPS: the value of the authorization header. S3: the secret access key. A database: the password. It is sealed, and never told again. */
            secret?: string;
            /** @description False: without encryption. That is for networks that the operator allows. */
            tls?: boolean;
            /** @description S3: the id of the access key. A database: who signs in. */
            user?: string;
        };
        FetchView: {
            columns_added: string[];
            columns_gone: string[];
            error: string | null;
            finished_at: string;
            rejected: number;
            rows_after: number;
            rows_before: number;
            /** @description done, failed, stopped or unchanged: the place says that the file is the same. After all but the first the rows before stay. */
            status: string;
        };
        FieldProblemView: {
            field: string;
            /** @description In plain words, the name of the field included. */
            problem: string;
        };
        FigureResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            figure: components["schemas"]["FigureView"];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        FigureView: {
            /** @description When the rows were read; null with a problem. */
            at: string | null;
            /** @description Vega-Lite specification with its data. */
            chart: {
                [key: string]: unknown;
            } | null;
            data: components["schemas"]["AnswerDataView"] | null;
            /** @description Whether the rows are still the same; if not, `figure` of the tile reads them anew. */
            is_current: boolean;
            /** @description A sentence; null when there is a result. */
            problem: string | null;
            /** @description Rows of the result, of which `data` has the first 100. */
            rows: number;
            /** @description The time that the figure is of, from and to; null when no time range applies. */
            shown: components["schemas"]["BoardRangeView"] | null;
            /** @description What of the board's view does not fit the tile's datasource: `time range`, or names of filters' columns. */
            unfiltered: string[];
            /** @description Sentences: rows that a join counts several times, and rows without a partner. */
            warnings: string[];
        };
        FinishSignInBody: {
            /** @description What `begin` gave to the browser. */
            browser: string;
            code: string;
            /** @description Sent if the provider sent it. */
            iss?: string | null;
            state: string;
        };
        ForgottenPasswordBody: {
            /** Format: email */
            email: string;
        };
        FormatsView: {
            /** @description Media types; what a file is, its bytes tell. */
            context_files: string[];
            /** @description Endings of names. */
            datasource_files: string[];
        };
        FullUser: {
            avatar: string;
            company_id: string;
            created_at: string;
            email: string;
            first_name: string;
            id: string;
            is_active: boolean;
            last_login: string | null;
            last_logout: string | null;
            last_name: string;
            meta: {
                [key: string]: string;
            };
            /** @description `user`, `manager` or `system`. */
            role: string;
        };
        GoldenQuestionResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            question: components["schemas"]["GoldenQuestionView"];
        };
        GoldenQuestionsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            questions: components["schemas"]["GoldenQuestionView"][];
            total: number;
        };
        GoldenQuestionView: {
            created_at: string;
            datasource_id: string;
            /** @description Those that its answer joins. */
            datasource_ids: string[];
            /** @description What its asker said of the answer; null when nobody did. */
            feedback: components["schemas"]["FeedbackView"] | null;
            id: string;
            plan: {
                [key: string]: unknown;
            } | null;
            /** @description What the plan or SQL finds out, in words; empty where nobody said it. */
            purpose: string;
            question: string;
            sql: string | null;
            /** @enum {string} */
            state: "candidate" | "rejected" | "verified";
            updated_at: string;
            verified_at: string | null;
            verified_by: string | null;
            /** @description Whether whoever answers has answered it so, without being told. */
            was_right: boolean;
            wording: string;
        };
        HistogramBinView: {
            count: number;
            from: number;
            /** @description The same as `from` where a bin is one value. */
            to: number;
        };
        HistoryResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description True when exactly 20 messages came: there may be more before them. */
            has_more: boolean;
            /** @description Up to 20 messages, oldest first. */
            history: components["schemas"]["MessageView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ImportView: {
            /** @description Of a file that was added: rows that are new; null when it was the first. */
            added: number | null;
            error: string | null;
            finished_at: string | null;
            percent: number | null;
            rejected: number;
            /** @description The first 100. */
            rejected_sample: components["schemas"]["RejectedLineView"][];
            /** @description Of a file that was added: earlier rows that gave way to others. */
            replaced: number | null;
            rows: number;
            started_at: string | null;
            /** @description pending, running, ready or failed: of the last file. Earlier rows stay when a further file fails. */
            status: string;
        };
        InsertBody: {
            /** @description 1 to 1,000 rows by column name. Numbers, booleans and null are taken as well as texts. */
            data: {
                [key: string]: string;
            }[];
            datasource_id: string;
        };
        InsertResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            inserted_rows: number;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description The first 100. */
            skipped: components["schemas"]["SkippedRowView"][];
        };
        InvitationMadeResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            invitation: components["schemas"]["InvitationView"];
            /** @description A mail with the link is on its way. */
            mailed: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Goes into the link `/invitation#token` of the console. It is said this once. */
            token: string;
        };
        InvitationSeenResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            invitation: components["schemas"]["InvitationSeenView"];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        InvitationSeenView: {
            /** @description The name of the company. */
            company: string;
            email: string;
            expires_at: string;
            /** @description `join`, or `reset`: a new password for a user. */
            purpose: string;
        };
        InvitationsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Those that are open, newest first. */
            invitations: components["schemas"]["OpenInvitationView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        InvitationTokenBody: {
            /** @description What the link holds. */
            token: string;
        };
        InvitationView: {
            created_at: string;
            email: string;
            expires_at: string;
            id: string;
            /** @description The e-mail address of the manager who made it. */
            invited_by: string;
            /** @description `join`, or `reset`: a new password for a user. */
            purpose: string;
            role: string;
        };
        InviteBody: {
            /** Format: email */
            email: string;
            /**
             * @description `user` or `manager`.
             * @enum {string}
             */
            role: "manager" | "user";
        };
        JudgedView: {
            cost: number | null;
            dbquery: string;
            ms: number;
            /** @enum {string} */
            outcome: "failed" | "refused" | "right" | "wrong";
            /** @description Why it is not right. */
            reason: string;
            regressed: boolean;
            tokens: number | null;
        };
        KeyOwnerView: {
            /** @description Of a user; empty when the user is gone. */
            email: string;
            /** @description Of the user, or of the service account. */
            id: string;
            /** @description At this moment; empty when the user is gone. */
            role: string;
            /** @description `user` or `service_account`. */
            type: string;
        };
        LimitsView: {
            /** @description Bytes of one context file. */
            context_file_bytes: number;
            context_files_per_company: number;
            context_files_per_request: number;
            /** @description Minutes between two runs of a task; from 1 to the longest. */
            longest_task_interval: number;
            /** @description Characters of one question. */
            message_characters: number;
            /** @description 0: no limit. */
            requests_per_minute: number;
            rows_per_insert: number;
            /** @description WebSockets a user may have open. */
            sockets_per_user: number;
            /** @description What the uploads and datasources of the company may take together; null: no limit. */
            storage_bytes: number | null;
            /** @description The only intervals of tasks that think. */
            thinking_task_intervals: number[];
            /** @description Bytes of one datasource file. */
            upload_bytes: number;
        };
        LinkMadeResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            link: components["schemas"]["ShareLinkView"];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Goes into the address `/shared#token` of the console. It is said this once. */
            token: string;
        };
        LoadedFileView: {
            /** @description The original name; in an archive the path there. */
            file: string;
            /** @description Storage key of its upload. */
            filename: string;
            rejected: number;
            rows: number;
            /** @description Bytes, unpacked. */
            size: number;
        };
        LoginBody: {
            /** Format: email */
            email: string;
            password: string;
        };
        LoginResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Good for 15 minutes, and to be refreshed for 7 days. */
            token: string;
            user: components["schemas"]["FullUser"];
        };
        LookBody: {
            /** @description What the link holds. */
            token: string;
        };
        LookFigureBody: {
            tile_id: string;
            /** @description What the link holds. */
            token: string;
        };
        MailView: {
            /** @description Why the last attempt failed. */
            error: string | null;
            /**
             * @description pending, delivered to the mail server, or failed when nothing will retry.
             * @enum {string}
             */
            status: "delivered" | "failed" | "pending";
            to: string;
        };
        MakeLinkBody: {
            board_id?: string | null;
            conversation_id?: string | null;
            /** @description Days until it expires, 1 to 365; 30 without it. */
            days?: number | null;
            message_id?: string | null;
        };
        MemberResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            user: components["schemas"]["FullUser"];
        };
        MessageView: {
            _id: string;
            conversation_id: string;
            created_at: string;
            message: string;
            /** @description The assistant's alone. */
            response?: components["schemas"]["AnswerView"];
            /** @description user or assistant. */
            role: string;
        };
        MetadataBody: {
            datasource_id: string;
            /** @description Zero-based; what can't be read is 0. */
            page?: number;
            page_size?: number;
            /** @description A part of the value, upper and lower case alike; no character in it means anything but itself. */
            search?: string;
        };
        MetadataResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            metadata: string[];
            total: number;
        };
        MetricBody: {
            description?: string;
            name: string;
            /** @description `measures`, `filters`, `derived` and `computed` of an aggregate plan: one figure, without groups. It is run before it is kept. */
            plan: {
                [key: string]: unknown;
            };
            synonyms?: string[];
            unit?: string;
        };
        MetricView: {
            description: string;
            name: string;
            plan: {
                [key: string]: unknown;
            };
            synonyms: string[];
            unit: string;
        };
        ModelSummaryView: {
            /** @description Null where there are no prices. */
            cost: number | null;
            /** @description No answer came, or there was nothing to compare it with. */
            failed: number;
            /** @description Null: the company's own. */
            model: string | null;
            /** @description Of all answers together. */
            ms: number;
            /** @description It asked back, or looked nothing up. */
            refused: number;
            /** @description Of those that are not right: they were before. */
            regressed: number;
            right: number;
            /** @description Null where nobody counts. */
            tokens: number | null;
            wrong: number;
        };
        OpenInvitationView: {
            created_at: string;
            email: string;
            expires_at: string;
            id: string;
            /** @description The e-mail address of the manager who made it. */
            invited_by: string;
            /** @description How the mail with its link stands, for 30 days; empty: none was ordered. */
            mails: components["schemas"]["MailView"][];
            /** @description `join`, or `reset`: a new password for a user. */
            purpose: string;
            role: string;
        };
        OpinionView: {
            correction: string;
            message_id: string;
            /** @enum {string|null} */
            rating: "down" | null | "up";
        };
        PinBody: {
            /** @description With `plan`: what is drawn of the result. */
            chart?: components["schemas"]["ChartRequestBody"] | null;
            conversation_id?: string | null;
            datasource_id?: string | null;
            /** @description With `plan`: further datasources that it may join, along relations that are confirmed. */
            datasource_ids?: string[];
            message_id?: string | null;
            /** @description What is asked of the rows, as `understood` of an answer has it. */
            plan?: {
                [key: string]: unknown;
            } | null;
            /** @description Markdown. */
            text?: string | null;
            /** @description Left out: the question that began a conversation; else what is shown, in words. */
            title?: string | null;
        };
        PlaceView: {
            /** @description Of an https address without its query part, which may be a secret. */
            address: string;
            at: components["schemas"]["WeeklyTimeView"] | null;
            /** @description Null, and no time of day either: only when somebody asks. */
            every_minutes: number | null;
            /** @description How much of it has come. */
            fetched_bytes: number | null;
            /** @description The last ten, the newest first. */
            fetches: components["schemas"]["FetchView"][];
            /** @description The file is on its way; then it is imported. */
            fetching: boolean;
            /** @description https, s3, postgresql or mysql. */
            kind: string;
            next_fetch_at: string | null;
            query: string;
            user: string;
        };
        PlainDatasourcesBody: {
            /** @description Zero-based; what can't be read is 0. */
            page?: number;
            page_size?: number;
            /** @description A part of the name. */
            search?: string;
        };
        PlainDatasourcesResponse: {
            datasources: components["schemas"]["PlainDatasourceView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        PlainDatasourceView: {
            id: string;
            name: string;
        };
        PlotBody: {
            /** @description A value of the metafield; empty: all rows. */
            asset?: string;
            datasource_id: string;
            /**
             * @description Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, relative (`now`, `now-1h`, `now-1d-2h`, `now-7d/d`: units s m h d w M y,
             *     a final `/unit` rounds down, all in UTC), or empty: open.
             */
            from?: string;
            /** @description Most points wanted; above them the range is cut into equal buckets. */
            points?: number;
            /** @description Exclusive, in the same forms; a final `/unit` rounds down here too: `now-1d/d` to `now/d` is yesterday. Not before `from`. */
            to?: string;
            /** @description A numeric column. */
            value: string;
        };
        PlotPointView: {
            count?: number;
            max?: number;
            /** @description Of a bucket. */
            min?: number;
            timestamp: string;
            /** @description Of one row, or the mean of a bucket. */
            value: number;
        };
        PlotResponse: {
            /** @description How long each bucket is, in milliseconds: two timestamps further apart have a gap between them. 0: `data` are single rows. */
            bucket_ms: number;
            /** @description In time order. A bucket without rows is not among them. */
            data: components["schemas"]["PlotPointView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Rows matched; a row without a value is none. */
            total: number;
        };
        ProposeRelationsBody: {
            /** @description Columns that are to be equal, all of these pairs together. Without them, likely ones are found by names and values. */
            columns?: components["schemas"]["ColumnPairBody"][];
            /** @description The two datasources. */
            datasource_ids: string[];
        };
        PutSemanticsBody: {
            id: string;
            /** @description All of it; what is left out is empty from then on. */
            semantics?: components["schemas"]["SemanticsBody"];
            /** @description The version that was read before; 0 where there was none. */
            version: number;
            /** @description The same as YAML, instead of `semantics`. */
            yaml?: string;
        };
        QueryBody: {
            datasource_id: string;
            /**
             * @description Further datasources that a join may read, along relations that are confirmed: at most four. Statements call them by their names in small letters
             *     with `_` between words, and the first `data`.
             */
            datasource_ids?: string[];
            /** @description Most rows of the page; 100 without it. Rows that are too large together come in smaller pages. */
            limit?: number;
            /** @description Rows of the result before the page; 0 without it. */
            offset?: number;
            /**
             * @description Which rows, as a plan of the kind `rows`: columns, filters and order as `understood` of an answer has them; or figures of groups of rows,
             *     as a plan of the kind `aggregate`.
             */
            plan?: {
                [key: string]: unknown;
            };
            /** @description One SELECT in the SQL of DuckDB over the table `data`, such as an answer's `dbquery`. Either this or `plan`. */
            query?: string;
            /** @description With `plan`: only rows that have this text in a column of texts, or this number in one of numbers. */
            search?: string;
        };
        QueryResponse: {
            columns: components["schemas"]["ResultColumnView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Of each relation that it joins along: what becomes of the rows. Tables have the names that the statement calls them by. */
            joins: components["schemas"]["AnswerJoinView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            offset: number;
            /** @description Times are ISO 8601. */
            rows: (string | number | boolean | null)[][];
            /** @description Rows that the datasource has now. */
            rows_scanned: number;
            /** @description Rows of the whole result. */
            total: number;
        };
        ReadyResponse: {
            /** @description State of each back-end, up or down, by name. */
            backends: {
                [key: string]: string;
            };
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ReducedUser: {
            company_id: string;
            created_at: string;
            email: string;
            first_name: string;
            id: string;
            is_active: boolean;
            last_name: string;
            meta: {
                [key: string]: string;
            };
            /** @description `user`, `manager` or `system`. */
            role: string;
        };
        RefetchBody: {
            id: string;
        };
        RefreshBody: {
            /** @description The same token as in the Authorization header. */
            token: string;
        };
        RefreshResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            token: string;
            user: components["schemas"]["ReducedUser"];
        };
        RejectedLineView: {
            /** @description Which of the files. */
            file: string;
            line: number | null;
            reason: string;
            text: string;
        };
        RelatedSideView: {
            /** @description Of the datasource, one of each pair. */
            columns: string[];
            datasource_id: string;
            datasource_name: string;
            /** @description Different values of its columns, together; a row in which one is empty counts for none. */
            distinct: number;
            /** @description Rows of the value that most rows have: 1 means that each row is found by it. */
            most: number;
            /** @description Rows that have a partner on the other side. */
            paired: number;
            rows: number;
        };
        RelationIdBody: {
            id: string;
        };
        RelationResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            relation: components["schemas"]["RelationView"];
        };
        RelationsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            relations: components["schemas"]["RelationView"][];
            total: number;
        };
        RelationView: {
            /** @description one-one, one-many, many-one or many-many: how many rows of `left` and of `right` can have the same value. */
            cardinality: string;
            /** @description Whether the caller may confirm, dismiss or delete it. */
            decidable: boolean;
            decided_at: string | null;
            /** @description The user who has confirmed or dismissed it. */
            decided_by: string | null;
            /** @description Some values that both have. */
            examples: string[];
            id: string;
            left: components["schemas"]["RelatedSideView"];
            measured_at: string;
            /** @description Some values of `left` that `right` lacks. */
            missing: string[];
            /** @description Of the values of the side that has fewer, how many percent the other has, too. */
            overlap: number;
            right: components["schemas"]["RelatedSideView"];
            /** @description proposed, confirmed or dismissed. */
            state: string;
        };
        ResultColumnView: {
            name: string;
            /** @description number, integer, boolean, time or text. */
            type: string;
        };
        ResultCsvBody: {
            datasource_id: string;
            /**
             * @description Further datasources that a join may read, along relations that are confirmed: at most four. Statements call them by their names in small letters
             *     with `_` between words, and the first `data`.
             */
            datasource_ids?: string[];
            /**
             * @description How the result is written; csv without it.
             * @enum {string}
             */
            format?: "csv" | "parquet" | "xlsx";
            /**
             * @description Which rows, as a plan of the kind `rows`: columns, filters and order as `understood` of an answer has them; or figures of groups of rows,
             *     as a plan of the kind `aggregate`.
             */
            plan?: {
                [key: string]: unknown;
            };
            /** @description One SELECT in the SQL of DuckDB over the table `data`, such as an answer's `dbquery`. Either this or `plan`. */
            query?: string;
            /** @description With `plan`: only rows that have this text in a column of texts, or this number in one of numbers. */
            search?: string;
        };
        RunEvaluationBody: {
            /** @description The datasource. */
            id: string;
            /** @description A model that is tried. Left out: the company's own. */
            model?: string;
            /** @description Instead of `model`: two models side by side. An empty name stands for the company's own. */
            models?: string[];
            /** @description A description of the table that is tried before it is written, as a PUT of it takes it. Left out: the one that counts. */
            semantics?: components["schemas"]["SemanticsBody"];
        };
        RunningTaskView: {
            id: string;
            /** @enum {string} */
            status: "error" | "ready" | "running";
        };
        RunStartedResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            run_id: string;
            task: components["schemas"]["RunningTaskView"];
        };
        RunView: {
            /** @description Markdown; empty unless it is done. */
            answer: string;
            /** @description Times that work on it was begun: 2 after a crash, and when a scheduled run failed at first. */
            attempts: number;
            error: string | null;
            finished_at: string | null;
            id: string;
            /** @description Who was mailed its result; kept for 30 days. */
            mails: components["schemas"]["MailView"][];
            /** @description When the schedule wanted it; null: a person asked for it. */
            planned_at: string | null;
            /** @description Why it was skipped, or what in its condition was met. */
            reason: string | null;
            started_at: string;
            /**
             * @description running, done, error, stopped by a person, or skipped.
             * @enum {string}
             */
            status: "done" | "error" | "running" | "skipped" | "stopped";
            steps: components["schemas"]["TaskStepView"][];
            task_id: string;
            /**
             * @description manual or schedule.
             * @enum {string}
             */
            trigger: "manual" | "schedule";
        };
        ScheduleBody: {
            /** @description At times of the week in place of the interval. Left out or null: the interval counts, and a pause keeps what there was. */
            automation_at?: components["schemas"]["WeeklyTimeBody"] | null;
            /** @description False pauses the schedule and keeps the interval. */
            automation_enabled?: boolean;
            /** @description Minutes: 1 to 1440, or one of 15, 30, 60, 120, 1440 when the task is `thinking`. */
            automation_interval: number;
            /** @description Left out: stays as it is. */
            condition?: components["schemas"]["ConditionBody"];
            /** @description Who gets the result of each run by mail, up to 20: people of the company, and whomever a manager names. Left out: stays as it is. */
            notify_emails?: string[];
            task_id: string;
        };
        SemanticsBody: {
            columns?: components["schemas"]["ColumnSemanticsBody"][];
            description?: string;
            /** @description Conditions on the rows that count unless a question says otherwise, as plans have them. */
            filters?: {
                [key: string]: unknown;
            }[];
            /** @description The month, 1 to 12, in which a fiscal year begins. */
            fiscal_year_start?: number;
            metrics?: components["schemas"]["MetricBody"][];
            /** @description Examples, which are offered to users. */
            questions?: string[];
        };
        SemanticsDraftResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            semantics: components["schemas"]["SemanticsView"];
        };
        SemanticsResponse: {
            /** @description Whether the caller may write it. */
            editable: boolean;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            semantics: components["schemas"]["SemanticsView"];
            updated_at: string | null;
            /** @description 0 as long as nothing was written. */
            version: number;
        };
        SemanticsView: {
            /** @description Those of which something is said. */
            columns: components["schemas"]["ColumnSemanticsView"][];
            description: string;
            filters: {
                [key: string]: unknown;
            }[];
            fiscal_year_start: number;
            metrics: components["schemas"]["MetricView"][];
            questions: string[];
        };
        ServiceAccountBody: {
            id?: string;
            /** @enum {string} */
            role?: "manager" | "system" | "user";
        };
        SessionsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            sessions: components["schemas"]["SessionView"][];
        };
        SessionView: {
            /** @description From where it was opened; empty where that is not known. */
            address: string;
            /** @description The program that opened it, as it names itself. */
            agent: string;
            created_at: string;
            expires_at: string;
            id: string;
            /** @description The session in which the caller asks. */
            is_current: boolean;
            /** @description When its token was last renewed; `null`: not yet. */
            last_used_at: string | null;
        };
        SettingsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Normally one record. */
            settings: components["schemas"]["SettingsView"][];
        };
        SettingsView: {
            _id: string;
            company_id: string;
            /**
             * @description Free in form. A value whose name speaks of a key, secret, token or password is shown as `***`; to users below a manager so is all of
             *     `webhook.url` behind its host.
             */
            config: {
                [key: string]: unknown;
            };
            created_at: string;
            name: string;
            updated_at: string;
        };
        SharedAnswerView: {
            /** @description When it was answered. */
            at: string;
            /** @description Vega-Lite specification with its data. */
            chart: {
                [key: string]: unknown;
            } | null;
            data: components["schemas"]["AnswerDataView"] | null;
            question: string;
            /** @description Markdown. */
            response: string;
            /** @description Rows that were found; `data` may have the first of them alone. */
            rows_returned: number;
        };
        SharedBoardView: {
            filters: components["schemas"]["BoardFilterView"][];
            notes: string;
            /** @description What all figures are of; null for all of their time. */
            range: components["schemas"]["BoardRangeView"] | null;
            refresh_minutes: number | null;
            tiles: components["schemas"]["ShownTileView"][];
            title: string;
        };
        SharedResponse: {
            /** @description Exactly one of the two is there. */
            answer: components["schemas"]["SharedAnswerView"] | null;
            board: components["schemas"]["SharedBoardView"] | null;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            expires_at: string;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
        };
        ShareLinksResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Those that are open, newest first. */
            links: components["schemas"]["ShareLinkView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        ShareLinkView: {
            /** @description The board that it shows; null for an answer. */
            board_id: string | null;
            created_at: string;
            expires_at: string;
            id: string;
            /** @description The e-mail address of whoever made it. */
            made_by: string;
            /** @description The answer that it shows; null for a board. */
            message_id: string | null;
            /** @description The board's title, or the question, when the link was made. */
            title: string;
        };
        SheetView: {
            /** @description What the creation of a datasource names among its `files`. */
            file: string;
            rows: string[][];
            times: components["schemas"]["TimeColumnView"][];
        };
        ShownTileView: {
            /** @description As it was read last; null when it never was, or looked at otherwise. */
            figure: components["schemas"]["FigureView"] | null;
            h: number;
            id: string;
            /** @enum {string} */
            kind: "figure" | "note";
            /** @description Of a note, Markdown. */
            text: string | null;
            /** @description Of a figure. */
            title: string | null;
            w: number;
            /** @description Columns of 12 and rows of the grid, counted from 0. */
            x: number;
            y: number;
        };
        SignInBegunResponse: {
            /** @description To be kept by the browser, and sent with what the provider answers, within 10 minutes. */
            browser: string;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description The provider's page. */
            url: string;
        };
        SignInProviderBody: {
            /** @description True: whoever the provider knows gets an account. False: members and invited people alone get in. */
            admits_unknown: boolean;
            /** @description What the provider calls this service. */
            client_id: string;
            /** @description Left out: it stays as it is. */
            client_secret?: string | null;
            /**
             * @description Of those who were not invited: `user` or `manager`.
             * @enum {string}
             */
            default_role: "manager" | "user";
            /** @description Of e-mail addresses: whoever has another one is refused. 1 to 20, none of them another company's. */
            domains: string[];
            /** @description The address of the OpenID Connect provider, such as `https://login.example.com`. */
            issuer: string;
        };
        SignInProviderResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Null: people sign in with passwords alone. Its secret is not told. */
            provider: components["schemas"]["SignInProviderView"] | null;
            /** @description To be registered at the provider. Null: the operator has not set `PUBLIC_URL`, and this way is closed. */
            redirect_uri: string | null;
        };
        SignInProviderView: {
            admits_unknown: boolean;
            client_id: string;
            default_role: string;
            domains: string[];
            issuer: string;
            updated_at: string;
        };
        SimplifiedUser: {
            company_id: string;
            email: string;
            first_name: string;
            id: string;
            last_name: string;
            /** @description `user`, `manager` or `system`. */
            role: string;
        };
        SkippedRowView: {
            reason: string;
            /** @description Its place in `data`, from 0. */
            row: number;
        };
        SpendingView: {
            /** @description Of the input, what the endpoint had read before. */
            cached_tokens: number;
            /** @description At the prices of the moment at which it was spent. */
            cost: number;
            /** @description Everything that models read, the cached part included. */
            input_tokens: number;
            output_tokens: number;
            questions: number;
        };
        StopChatBody: {
            conversation_id: string;
        };
        StopChatResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description The answer that was running; null when none was. */
            message_id: string | null;
            /** @description `ready`, or `loading` for the moment until whoever works on the answer has heard of it. */
            status: string;
            /** @description Whether an answer was running and was ended by this. False also when it came to its end by itself at this moment. */
            stopped: boolean;
        };
        StopTaskBody: {
            task_id: string;
        };
        SuggestionsResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description A JSON-encoded array of 4 to 6 texts; of fewer where the table has no more to ask about, of none where there are no rows to ask. */
            suggested_questions: string;
        };
        SuggestionsUpdatedData: {
            conversation_id: string;
        };
        SummaryResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            summary: components["schemas"]["SummaryView"];
        };
        SummaryView: {
            columns: components["schemas"]["ColumnSummaryView"][];
            row_count: number;
            /** @description The form that the assistant is given. */
            text: string;
            /** @description First and last timestamp; null when there are no rows. */
            time_range: components["schemas"]["TimeRangeView"] | null;
        };
        TaskHistoryResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description Newest first. */
            history: components["schemas"]["RunView"][];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            total: number;
        };
        TaskResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            task: components["schemas"]["TaskView"];
        };
        TasksResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            tasks: components["schemas"]["TaskView"][];
            total: number;
        };
        TaskStepView: {
            /** @description Markdown. */
            content: string;
            /** @description The query that ran; empty if none. */
            dbquery: string;
            /** @description ISO 8601. */
            finished_at: string;
            /** @description Its place in the run; the first is 1. */
            index: number;
            /** @description ISO 8601. */
            started_at: string;
            title: string;
            /** @enum {string} */
            type: "answer" | "chart" | "check" | "context" | "error" | "plan" | "query";
            /** @description File name of the chart's image; empty if none. */
            visualization: string;
        };
        TaskView: {
            /** @description The last run's, in Markdown; empty while it runs, and when it did not end well. */
            answer: string;
            automation_at: components["schemas"]["WeeklyTimeView"] | null;
            automation_enabled: boolean;
            /** @description Minutes; they count while `automation_at` is null. */
            automation_interval: number;
            /** @description Scheduled runs that don't meet it are skipped, and recorded as such. */
            condition: components["schemas"]["ConditionView"];
            created_at: string;
            created_by: string;
            datasources: string[];
            /** @description Why the last run failed; null when it did not. */
            error: string | null;
            /** @description Scheduled runs that failed since the last that did not; at 5 the schedule pauses itself. */
            failures_in_a_row: number;
            id: string;
            last_run_at: string | null;
            /** @enum {string} */
            mode: "report" | "solve";
            name: string;
            next_run_at: string | null;
            /** @description Who gets the result of each run by mail. */
            notify_emails: string[];
            prompt: string;
            /** @description The run in progress, or the last one. */
            run_id: string | null;
            /** @description Why the schedule paused itself. */
            schedule_note: string | null;
            /**
             * @description ready, running, or error when the last run failed.
             * @enum {string}
             */
            status: "error" | "ready" | "running";
            /** @description Of the run in progress, or of the last one. */
            steps: components["schemas"]["TaskStepView"][];
            thinking: boolean;
            updated_at: string;
        };
        TilePlaceBody: {
            /** @description Rows. */
            h: number;
            id: string;
            /** @description Columns of 12. */
            w: number;
            /** @description Column, counted from 0. */
            x: number;
            /** @description Row, counted from 0. */
            y: number;
        };
        TileResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            tile: components["schemas"]["TileView"];
        };
        TileView: {
            /** @description Of a figure. */
            datasource_id: string | null;
            /** @description Those that it joins. */
            datasource_ids: string[];
            /** @description As it was read last; null when it never was, or looked at otherwise. */
            figure: components["schemas"]["FigureView"] | null;
            h: number;
            id: string;
            /** @enum {string} */
            kind: "figure" | "note";
            plan: {
                [key: string]: unknown;
            } | null;
            /** @description The query of an answer that no plan is behind. */
            sql: string | null;
            /** @description Of a note, Markdown. */
            text: string | null;
            /** @description Of a figure. */
            title: string | null;
            w: number;
            /** @description Columns of 12 and rows of the grid, counted from 0. */
            x: number;
            y: number;
        };
        TimeColumnView: {
            /** @description The other readings, when no sampled row tells day and month apart. */
            ambiguous: string[];
            column: string;
            /** @description A time of the file; where there are several readings, one that they read differently. */
            example: string;
            /** @description The first of the others; empty when there are none. */
            misfit: string;
            /** @description The part of the sampled rows, from 0 to 1, whose time has this layout; an import rejects the others. */
            share: number;
            /** @description In Unicode tokens. */
            timeformat: string;
        };
        TimeLayoutsView: {
            go: string;
            strftime: string;
            unicode: string;
        };
        TimeRangeView: {
            from: string;
            to: string;
        };
        TopValueView: {
            count: number;
            value: string;
        };
        UnderstoodPartView: {
            /** @description Where it stands in the plan: `filters.0`. For the chart `chart`, which stands beside the plan. */
            at: string;
            /** @enum {string} */
            kind: "chart" | "condition" | "figure" | "group" | "join" | "order" | "period";
            /** @description `total revenue`, `by region`, `channel is online`. */
            words: string;
        };
        UnderstoodView: {
            /**
             * @description What was drawn; null when nothing was.
             * @enum {string|null}
             */
            chart: "area" | "bar" | "grouped_bar" | "heatmap" | "histogram" | "line" | null | "pie" | "scatter" | "stacked_bar";
            /** @description Figures, then groups, conditions and periods, the order, the chart. */
            parts: components["schemas"]["UnderstoodPartView"][];
            /** @description What was asked of the rows, as data. `plan` of a question takes it back. */
            plan: {
                [key: string]: unknown;
            };
        };
        UploadKeyBody: {
            /** @description The generated key from the upload, not the original name. */
            filename: string;
        };
        UploadResponse: {
            columns: string[][];
            dialects: components["schemas"]["DialectView"][];
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description The file's original name. */
            file: string;
            /** @description Generated storage key: what the creation of a datasource names. */
            filename: string;
            /** @description Names of the tables: in an archive their paths there, of a workbook its sheets, hidden ones last. */
            files: string[];
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            rows: string[][];
            /** @description The first data row of the first file that has one. */
            sample: string[];
            /** @description The first fifty sheets of workbooks with rows; first that which is taken if none is chosen: `sample`, `rows` and `times` are its own. */
            sheets: components["schemas"]["SheetView"][];
            /** @description Bytes. */
            size: number;
            times: components["schemas"]["TimeColumnView"][];
            types: string[][];
        };
        UsageResponse: {
            budget: components["schemas"]["BudgetView"];
            /** @description Of costs, prices and the budget. */
            currency: string;
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            from: string;
            /** @enum {string} */
            group: "day" | "model" | "user";
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            to: string;
            total: components["schemas"]["SpendingView"];
            /** @description Models that took tokens and have no price: what they took costs 0 here. */
            unpriced_models: string[];
            /** @description Days in their order; users and models by what they cost, most first. */
            usage: components["schemas"]["UsageRowView"][];
        };
        UsageRowView: {
            /** @description Of the input, what the endpoint had read before. */
            cached_tokens: number;
            /** @description At the prices of the moment at which it was spent. */
            cost: number;
            /** @description Everything that models read, the cached part included. */
            input_tokens: number;
            /** @description The day, the id of the user, or the model. */
            key: string;
            /** @description For people: the e-mail address of a user; null when the user is gone. */
            name: string | null;
            output_tokens: number;
            questions: number;
        };
        UserResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            user: components["schemas"]["FullUser"];
        };
        UsersResponse: {
            /** @description True when the request failed, or was done in part only. */
            error: boolean;
            /** @description A short status text, or what went wrong, in plain words. */
            message: string;
            /** @description Users in the whole company. */
            total: number;
            /** @description Newest first. */
            users: components["schemas"]["FullUser"][];
        };
        VerifierView: {
            id: string;
            name: string;
        };
        WeeklyTimeBody: {
            days: ("fri" | "mon" | "sat" | "sun" | "thu" | "tue" | "wed")[];
            /** @description `08:00`: hours and minutes, by the clocks of the time zone. */
            time: string;
            /** @description `Europe/Berlin`; `UTC`. */
            time_zone: string;
        };
        WeeklyTimeView: {
            days: ("fri" | "mon" | "sat" | "sun" | "thu" | "tue" | "wed")[];
            time: string;
            time_zone: string;
        };
        WholeEvaluationView: {
            created_at: string;
            datasource_id: string;
            /** @description Questions that were asked. */
            done: number;
            ended_at: string | null;
            error: string;
            id: string;
            models: components["schemas"]["ModelSummaryView"][];
            questions: components["schemas"]["AskedQuestionView"][];
            /** @enum {string} */
            state: "done" | "failed" | "running" | "stopped" | "waiting";
            total: number;
            /** @description A description was tried that did not count. */
            tries_semantics: boolean;
            /** @enum {string} */
            trigger: "command" | "person" | "schedule";
        };
    };
    responses: {
        /** @description The request is malformed, or a value in it does not fit; `details` names the fields. */
        "failure-400": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FailureResponse"];
            };
        };
        /** @description The token is missing or invalid, or its session has ended. */
        "failure-401": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FailureResponse"];
            };
        };
        /** @description What the request names is not there, or is another company's or another user's. */
        "failure-404": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FailureResponse"];
            };
        };
        /** @description There were too many requests, or too many run at once; `retry-after` has the seconds to wait. */
        "failure-429": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FailureResponse"];
            };
        };
        /** @description Any other failure. */
        "failure-default": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FailureResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ForgottenPasswordController_ask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgottenPasswordBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            429: components["responses"]["failure-429"];
            /** @description The service sends no mail. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            default: components["responses"]["failure-default"];
        };
    };
    InvitationController_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            /** @description The address has got an account meanwhile. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    InvitationController_look: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationSeenResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AuthController_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            /** @description There is no user with this email and password. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            /** @description The user is inactive. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AuthController_refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_notebook: {
        parameters: {
            query?: {
                run_id?: string;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ipynb+json": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_delete: {
        parameters: {
            query?: {
                /** @description `true`: it does not go to the bin. */
                permanent?: "false" | "true";
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStartedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopTaskBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_history: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskHistoryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TaskController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TasksResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has not made it and is no manager, or names a recipient outside the company. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has not made it and is no manager, or names a recipient outside the company. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAlertBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has not made it and is no manager, or names a recipient outside the company. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AlertController_history: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertHistoryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ApiKeysController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ApiKeysController_make: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description A service account is asked for by no manager, or with a role above the own. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            /** @description The caller has made as many as one may have. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ApiKeysController_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ChatController_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ChatController_chatStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatStreamBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatStreamResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ConversationController_edit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditConversationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ConversationController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConversationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationCreatedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ConversationController_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteConversationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ConversationController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ConversationController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    FeedbackController_given: {
        parameters: {
            query: {
                conversation_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    FeedbackController_rate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    HistoryController_read: {
        parameters: {
            query: {
                before?: string;
                conversation_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    HistoryController_notebook: {
        parameters: {
            query: {
                conversation_id: string;
                message_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ipynb+json": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ChatController_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopChatBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopChatResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SuggestionsController_read: {
        parameters: {
            query: {
                conversation_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SuggestionsController_reload: {
        parameters: {
            query: {
                conversation_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VisualizationController_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VisualizationController_chart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AuditController_list: {
        parameters: {
            query?: {
                /** @description This action alone, such as `PATCH secure/user/:id`. */
                action?: string;
                /** @description Whose actions alone. */
                email?: string;
                /** @description From then on, in ISO 8601. */
                from?: string;
                page?: number;
                page_size?: number;
                /** @description Until then, in ISO 8601; exclusive. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AuditController_csv: {
        parameters: {
            query?: {
                /** @description This action alone, such as `PATCH secure/user/:id`. */
                action?: string;
                /** @description Whose actions alone. */
                email?: string;
                /** @description From then on, in ISO 8601. */
                from?: string;
                page?: number;
                page_size?: number;
                /** @description Until then, in ISO 8601; exclusive. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BinController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BinController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinEntryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BinController_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinEntryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBoardBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The company has too many boards. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_remove: {
        parameters: {
            query?: {
                /** @description `true`: it does not go to the bin. */
                permanent?: "false" | "true";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBoardBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_pin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TileResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            /** @description The board is full. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_removeTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                tile: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_changeTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                tile: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTileBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TileResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_figure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                tile: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardViewBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FigureResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    BoardsController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    CapabilitiesController_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapabilitiesResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ContextFileController_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFilesResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ContextFileController_save: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextFilesResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ContextFileController_delete: {
        parameters: {
            query?: {
                /** @description `true`: it does not go to the bin. */
                permanent?: "false" | "true";
            };
            header?: never;
            path: {
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    CompanyController_current: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UsersController_current: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUserResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AccountController_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccountBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AccountController_changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AccountController_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AccountController_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    PlotController_plot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlotBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlotResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    QueryController_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    QueryController_file: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResultCsvBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_get: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasourceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceCreatedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteDatasourceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_edit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditDatasourceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AnnotationsController_add: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AnnotationsController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has not written it and is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AnnotationsController_list: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AppendController_append: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppendBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    TimeFormatController_detect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DetectTimeFormatBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetectTimeFormatResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MetadataController_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetadataResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DownloadsController_rows: {
        parameters: {
            query: {
                /** @description A value of the metafield; empty: all rows. */
                asset?: string;
                /** @description Names, parted by commas, in the order wanted; a name that holds a comma stands in quotes. Empty: the file's own columns. */
                columns?: string;
                /** @description How the rows are written; csv without it. */
                format?: "csv" | "parquet" | "xlsx";
                /**
                 * @description Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, relative (`now`, `now-1h`, `now-1d-2h`, `now-7d/d`: units s m h d w M y,
                 *     a final `/unit` rounds down, all in UTC), or empty: open.
                 */
                from?: string;
                id: string;
                /** @description Exclusive, in the same forms; a final `/unit` rounds down here too: `now-1d/d` to `now/d` is yesterday. Not before `from`. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    PlaceController_fetch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchPlaceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager, or the place is a database. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    InsertController_insert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the rows of this call: sent again with the same key within 24 hours they are not stored again, and the answer is the first one, with the header `idempotency-replayed: true`. The same key with other rows is a 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InsertBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsertResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    PlaceController_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePlaceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager, or the place is a database. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    PlaceController_refetch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefetchBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager, or the place is a database. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    PlaceController_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefetchBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager, or the place is a database. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DownloadsController_rejects: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SampleController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourceCreatedResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SemanticsController_get: {
        parameters: {
            query: {
                id: string;
                /** @description One of the last 20; left out: the last. */
                version?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SemanticsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SemanticsController_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSemanticsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SemanticsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller is neither its creator nor a manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SemanticsController_draft: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SemanticsDraftResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SemanticsController_yaml: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SummaryController_store: {
        parameters: {
            query: {
                /** @description How many bins the histograms of numbers have at most; none are counted unless it is given. */
                bins?: number;
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UploadController_upload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UploadController_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasourcesResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    DatasourceController_listPlain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlainDatasourcesBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainDatasourcesResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    EvaluationController_run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunEvaluationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    EvaluationController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    EvaluationController_list: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    EvaluationController_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationScheduleBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationScheduleResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    EvaluationController_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationIdBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationMadeResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            /** @description The address has an account in the company, or too many invitations are open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    AuthController_logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    RelationsController_list: {
        parameters: {
            query?: {
                datasource_id?: string;
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    RelationsController_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationIdBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has created neither datasource and is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    RelationsController_confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationIdBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has created neither datasource and is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    RelationsController_dismiss: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationIdBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller has created neither datasource and is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    RelationsController_propose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposeRelationsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SettingsController_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SettingsController_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedSettingsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ShareLinksController_make: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MakeLinkBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkMadeResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The board was made by somebody else, and the caller is no manager. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            /** @description Too many links are open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ShareLinksController_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    ShareLinksController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinksResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SignInSettingsController_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProviderResponse"];
                };
            };
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SignInSettingsController_save: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInProviderBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProviderResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            /** @description A domain is another company’s, or the operator has not set `PUBLIC_URL`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SignInSettingsController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UsageController_report: {
        parameters: {
            query?: {
                /** @description The first day, such as `2026-01-01` (UTC); left out: the first of the month of `to`. */
                from?: string;
                /** @description What a row is of: a day, a user or a model. */
                group?: "day" | "model" | "user";
                /** @description The last day; left out: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UsersController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_remove: {
        parameters: {
            query?: {
                /** @description `true`: nothing that tells of the person stays. */
                erase?: "false" | "true";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            /** @description The caller’s own account, or the last manager. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            /** @description The caller’s own account, or the last manager. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    MembersController_reset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationMadeResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    UsersController_list: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VerifiedController_list: {
        parameters: {
            query: {
                id: string;
                page?: number;
                page_size?: number;
                /** @description Left out: `verified`. */
                state?: "candidate" | "rejected" | "verified";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoldenQuestionsResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VerifiedController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateQuestionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoldenQuestionResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VerifiedController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    VerifiedController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeQuestionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoldenQuestionResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            401: components["responses"]["failure-401"];
            /** @description The caller's role is below `manager`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SharedController_figure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookFigureBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FigureResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SharedController_look: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SignInController_begin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginSignInBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInBegunResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            404: components["responses"]["failure-404"];
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    SignInController_finish: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinishSignInBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["failure-400"];
            /** @description The provider, the company or a check refuses; the message says why. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureResponse"];
                };
            };
            429: components["responses"]["failure-429"];
            default: components["responses"]["failure-default"];
        };
    };
    HealthController_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"];
                };
            };
            default: components["responses"]["failure-default"];
        };
    };
    HealthController_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyResponse"];
                };
            };
            /** @description A back-end does not answer. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyResponse"];
                };
            };
            default: components["responses"]["failure-default"];
        };
    };
}
