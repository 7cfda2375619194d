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
from infila.server.pages.invitation import close_house, open_house
from infila.server.pages.level import choose_level
from infila.server.pages.my_games import my_games_page, rename, upload
from infila.server.pages.new import new_form, new_table
from infila.server.pages.preferences import choose_language, choose_theme
from infila.server.pages.preview import poster
from infila.server.pages.rules import rules_page, rules_text
from infila.server.pages.seat_names import names_page, rename_seat
from infila.server.pages.sheet import sheet_page
from infila.server.pages.summing_up import sum_of
from infila.server.pages.table_page import act, come, table_end, table_events, table_log, table_page, table_state
from infila.server.request import identify


def pages() -> list[ControllerRouterHandler]:
    """All pages, and the files they need."""
    handlers: list[ControllerRouterHandler] = [
        table_log,
        table_end,
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
    return [Router("/", route_handlers=handlers, before_request=identify), static_file]
