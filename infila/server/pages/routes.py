"""All pages, and the files they need."""

from litestar import Router
from litestar.types import ControllerRouterHandler

from infila.server.endpoints import ENDPOINTS
from infila.server.pages.advice import hint, why
from infila.server.pages.devices import (
    ask_who_to_be,
    become,
    devices_page,
    end,
    end_others,
    leave,
    make_link,
    make_program,
    withdraw_link,
)
from infila.server.pages.files import game_style, static_file
from infila.server.pages.front import front, learn, play_now
from infila.server.pages.getting_ready import progress_of
from infila.server.pages.installed import app_manifest, installed_script, offline_page, service_worker
from infila.server.pages.invitation import close_house, open_house
from infila.server.pages.level import choose_level
from infila.server.pages.my_games import my_games_page, rename, upload
from infila.server.pages.new import new_form, new_table
from infila.server.pages.preferences import choose_language, choose_theme
from infila.server.pages.preview import poster
from infila.server.pages.puzzles import (
    ask_again,
    next_puzzle,
    puzzle_page,
    puzzle_state,
    puzzles_page,
    show_solution,
    try_move,
    why_not_here,
)
from infila.server.pages.review import review_board, review_page, review_state, try_again
from infila.server.pages.rules import rules_page, rules_text
from infila.server.pages.seat_names import names_page, rename_seat
from infila.server.pages.sheet import sheet_page
from infila.server.pages.solo import solo_file, task, thought
from infila.server.pages.summing_up import sum_of
from infila.server.pages.table_page import act, come, table_end, table_events, table_log, table_page, table_state
from infila.server.request import identify


def pages() -> list[ControllerRouterHandler]:
    """All pages, and the files they need."""
    handlers: list[ControllerRouterHandler] = [
        table_log,
        table_end,
        review_page,
        review_state,
        review_board,
        try_again,
        puzzles_page,
        puzzle_page,
        puzzle_state,
        try_move,
        show_solution,
        ask_again,
        next_puzzle,
        why_not_here,
        upload,
        devices_page,
        make_link,
        withdraw_link,
        make_program,
        end,
        end_others,
        leave,
        ask_who_to_be,
        become,
        front,
        play_now,
        learn,
        new_form,
        new_table,
        sum_of,
        table_page,
        come,
        names_page,
        rename_seat,
        table_state,
        table_events,
        *(act(each) for each in ENDPOINTS),
        hint,
        why,
        task,
        thought,
        rules_page,
        rules_text,
        game_style,
        poster,
        sheet_page,
        my_games_page,
        rename,
        open_house,
        close_house,
        choose_language,
        choose_theme,
        choose_level,
        progress_of,
    ]
    for_all = [static_file, solo_file, app_manifest, service_worker, installed_script, offline_page]  # whoever asks
    return [Router("/", route_handlers=handlers, before_request=identify), *for_all]
